// What of the page is the same whatever it shows.
#pragma once

namespace rebound::papers {

inline constexpr const char* kStyle = R"css(
*{box-sizing:border-box}
html{color-scheme:light dark;scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 Inter,"DejaVu Sans",system-ui,sans-serif}
main,header,footer{max-width:1080px;margin:0 auto;padding:0 20px}
h1{font-size:30px;line-height:1.2;margin:36px 0 8px}
h2{font-size:20px;line-height:1.3;margin:0}
p{margin:8px 0}
a{color:inherit}
.muted,figcaption,.where{color:var(--muted)}
.small{font-size:14px}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:18px 20px;margin:18px 0}
.card>header{padding:0;margin:0;max-width:none;display:flex;gap:12px;align-items:baseline;justify-content:space-between;flex-wrap:wrap}
.chip{display:inline-block;border-radius:999px;padding:1px 10px;font-size:13px;font-weight:600;white-space:nowrap;border:1px solid currentColor}
.agrees{color:var(--agrees)}.differs{color:var(--differs)}.not-comparable{color:var(--shown)}.not-yet,.not-run{color:var(--muted)}.failed{color:var(--differs)}
.controls{display:flex;gap:12px;flex-wrap:wrap;align-items:end;margin:18px 0;position:sticky;top:0;background:var(--page);padding:10px 0;z-index:1;border-bottom:1px solid var(--line)}
label{font-size:13px;color:var(--muted);display:block}
select{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:6px 10px;min-width:9em}
table{border-collapse:collapse;width:100%;margin:12px 0;font-size:15px}
th{text-align:left;font-weight:600;font-size:13px;color:var(--muted)}
th,td{padding:7px 10px 7px 0;border-top:1px solid var(--line);vertical-align:top;overflow-wrap:break-word}
thead th{border-top:0}
table.rows td:nth-child(1){width:24%}table.rows td:nth-child(2){width:30%}table.numbers td:nth-child(1){width:30%}
tr.hidden,section.hidden{display:none}
.plots,.pictures{display:grid;gap:14px;grid-template-columns:repeat(auto-fill,minmax(min(100%,440px),1fr));margin:12px 0}
.pictures{grid-template-columns:repeat(auto-fit,minmax(min(100%,260px),1fr))}
figure{margin:0}
.plots svg,.pictures img{width:100%;height:auto;display:block;border-radius:8px}
.plots svg{border:1px solid var(--line)}
details{margin:10px 0}
summary{cursor:pointer;color:var(--muted)}
.finding{border-left:3px solid var(--shown);padding-left:12px}
.bar{display:flex;height:10px;border-radius:5px;overflow:hidden;margin:10px 0}
.bar i{display:block;background:currentColor}
code{font-family:"DejaVu Sans Mono",ui-monospace,monospace;font-size:.92em;overflow-wrap:anywhere}
@media(max-width:640px){
 table.rows td:nth-child(n),table.numbers td:nth-child(n){width:auto}
 main,header,footer{padding:0 12px}h1{font-size:24px;margin-top:20px}.card{padding:14px 12px}
 table.numbers thead,table.parameters thead,table.rows thead{display:none}
 table.numbers tr,table.parameters tr,table.rows tr{display:block;border-top:1px solid var(--line);padding:8px 0}
 table.numbers td,table.parameters td,table.rows td{display:block;border:0;padding:1px 0}
 td[data-label]:not(:empty)::before{content:attr(data-label) ": ";color:var(--muted);font-size:13px}
 tr.hidden{display:none!important}
 .controls{position:static}select{min-width:0;width:100%}.controls>div{flex:1}
}
@media print{
 :root{--page:#fff!important;--card:#fff!important}
 body{font-size:11pt}.controls,tr[data-verdict=not-run]{display:none}.card{break-inside:avoid-page;border-color:#bbb}h2{break-after:avoid}
 .plots,.pictures{grid-template-columns:1fr 1fr}figure,tr{break-inside:avoid}
}
)css";

inline constexpr const char* kLightColors =
    "--page:#fafafa;--card:#ffffff;--ink:#1c1c1e;--muted:#62626a;--line:#e0e0e4;--agrees:#0b7a4b;--differs:#b3261e;"
    "--shown:#6750a4;";
inline constexpr const char* kDarkColors =
    "--page:#121214;--card:#1c1c20;--ink:#ececf0;--muted:#a2a2ac;--line:#34343a;--agrees:#5fd39b;--differs:#ff8a80;"
    "--shown:#cbb8ff;";

inline constexpr const char* kScript = R"js(
const paper=document.getElementById('paper'),verdict=document.getElementById('verdict'),count=document.getElementById('count');
function show(){let n=0;
 for(const part of document.querySelectorAll('[data-paper]')){
  const hidden=(paper.value&&part.dataset.paper!==paper.value)||(verdict.value&&part.dataset.verdict!==verdict.value);
  part.classList.toggle('hidden',hidden);if(!hidden&&part.tagName==='TR')n++;}
 count.textContent=n+(n===1?' row':' rows');}
paper.addEventListener('change',show);verdict.addEventListener('change',show);
addEventListener('beforeprint',()=>{for(const d of document.querySelectorAll('details'))d.open=true;});
show();
)js";

}  // namespace rebound::papers
