// What the commands of a window act on.
#pragma once

#include <memory>

namespace rebound::app {

class Canvas;
class Conductor;
class Exports;
class FileDialog;
class Gallery;
class Hand;
class Messages;
class Mouse;
class Opener;
class Stage;
class Window;
struct Settings;

/// All of it outlives who holds it.
struct World {
  Window& window;
  Settings& settings;
  Canvas& canvas;
  Hand& hand;
  Mouse& mouse;
  Opener& opener;
  Messages& messages;
  FileDialog& dialog;
  Gallery& gallery;
  Exports& exports;
  const Conductor& conductor;
  std::unique_ptr<Stage>& stage;  ///< null until the first scene is open; nothing is asked before
  const int& threads;
};

}  // namespace rebound::app
