// The gradient behind everything. FINE adds noise of one step of eight bits, which keeps it from banding.
uniform vec3 background_top;     // sRGB, as the next
uniform vec3 background_bottom;
uniform vec4 background_area;    // lower left corner in pixels; 1 / width, 1 / height

vec3 background() {
  float height = (gl_FragCoord.y - background_area.y) * background_area.w;
  vec3 color = mix(background_bottom, background_top, height);
#ifdef FINE
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  color += (noise - 0.5) / 255.0;
#endif
  return color;
}
