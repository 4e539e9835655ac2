// What all programs know of the picture being drawn. Mirrors FrameUniforms in renderer.cpp.
layout(std140) uniform Frame {
  mat4 view_projection;
  mat4 shadow_from_world;  // world -> shadow map, [0, 1] in each direction
  vec4 eye;                // metres
  vec4 to_light;           // unit
  vec4 key_light;          // linear colour times strength, as the three below
  vec4 sky_light;
  vec4 bounce_light;
  vec4 rim_light;
  vec4 viewport;           // width, height in pixels; left, bottom
  vec4 shadow_size;        // width and height of the shadow map's window and its depth range, metres; w: texel, metres
  vec4 floor_plane;        // unit normal and offset of the floor that darkens what is near it
  vec4 floor_reach;        // x: height within which it does, metres; 0: no floor
};
