//! What the mouse does.

use std::time::Duration;

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::app::{App, View};

impl App {
    /// Slides tiles up to where it clicks, or shows the move at a place of the slider.
    pub fn mouse(&mut self, mouse: &MouseEvent, now: Duration) {
        let at = Position::new(mouse.column, mouse.row);
        let is_drag = mouse.kind == MouseEventKind::Drag(MouseButton::Left);
        if !is_drag && mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return;
        }
        if self.help.is_some() {
            self.help = self.help_goes_on;
            return;
        }
        match &mut self.view {
            View::Watch(watch) => {
                if let Some(slider) = self.slider.filter(|slider| slider.contains(at)) {
                    watch.seek(at.x - slider.x, slider.width);
                }
            }
            View::Play if !is_drag && self.drawing.is_none() => {
                let cell = self.tray.as_ref().and_then(|tray| tray.cell_at(at));
                if cell.is_some_and(|cell| self.game.push_cell(cell, now)) {
                    self.has_moved(now);
                }
            }
            _ => {}
        }
    }
}
