//! Colours: true colours as on the web page if the terminal supports them, else its own 16, or none.

use std::env;

use loyd_play::TileStatus;
use ratatui::style::{Color, Modifier, Style};

use crate::args::ThemeName;

/// Number of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    None,
    Sixteen,
    True,
}

/// Styles by meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    pub depth: Depth,
    pub dark: bool,
}

/// Style of a tile.
pub struct Face {
    pub style: Style,
    /// The character of the lower edge of the tile.
    pub edge: &'static str,
    pub edge_style: Style,
}

/// Tone of a message, which its wording conveys too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Accent,
    Good,
    Warn,
}

/// A colour in the light and in the dark theme.
type Pair = (u32, u32);

const PAGE: Pair = (0xf2f4f3, 0x0f1315);
const TRAY: Pair = (0xe6eae8, 0x0a0d0f);
const INK: Pair = (0x15201c, 0xe9efec);
const MUTED: Pair = (0x52605a, 0x9aa8a3);
const ACCENT: Pair = (0x2f47c8, 0x9db0ff);
const ON_ACCENT: Pair = (0xffffff, 0x0f1440);
const AWAY: Pair = (0xffffff, 0x262d31);
const AWAY_INK: Pair = (0x5b6862, 0xa5b2ad);
const MOVED: Pair = (0x15201c, 0xf4f8f6);
const SOFT: [(Pair, Pair); 3] = [
    ((0x24389f, 0xc3ceff), (0xe5e9fc, 0x232c55)),
    ((0x17693f, 0x6fd39b), (0xdff2e6, 0x14301f)),
    ((0x8a5200, 0xf0b95a), (0xfbecd0, 0x36270c)),
];

/// Colours of the rows of the goal, repeated after five.
const ROWS: [Pair; 5] = [
    (0xf0ce6a, 0x925e12),
    (0x91daff, 0x3b5091),
    (0xeb906e, 0x612600),
    (0xc3efc4, 0x13786a),
    (0x97a3f9, 0x393655),
];

/// `ROWS` from the 16 colours, each with the colour of text on it.
const ROWS_16: [(Color, Color); 5] = [
    (Color::Yellow, Color::Black),
    (Color::Blue, Color::White),
    (Color::Red, Color::White),
    (Color::Green, Color::Black),
    (Color::Magenta, Color::White),
];

impl Theme {
    /// Creates a theme from the environment variables.
    pub fn from_env(name: ThemeName) -> Self {
        let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
        let depth = match variable("COLORTERM").as_deref() {
            _ if variable("NO_COLOR").is_some() => Depth::None,
            Some("truecolor" | "24bit") => Depth::True,
            _ => Depth::Sixteen,
        };
        // Some terminals set the numbers of their colours as in `0;15`, the background last.
        let background = variable("COLORFGBG");
        let background = background.as_deref().and_then(|colours| colours.rsplit(';').next());
        let dark = match name {
            ThemeName::Auto => !matches!(background, Some("7" | "15")),
            name => name == ThemeName::Dark,
        };
        Self { depth, dark }
    }

    fn rgb(self, (light, dark): Pair) -> Color {
        let [_, red, green, blue] = (if self.dark { dark } else { light }).to_be_bytes();
        Color::Rgb(red, green, blue)
    }

    /// Returns `front` on `back` with true colours, `sixteen` with 16, and no style without.
    fn choose(self, front: Pair, back: Pair, sixteen: Style) -> Style {
        match self.depth {
            Depth::True => Style::new().fg(self.rgb(front)).bg(self.rgb(back)),
            Depth::Sixteen => sixteen,
            Depth::None => Style::new(),
        }
    }

    /// Style of the page.
    pub fn page(self) -> Style {
        self.choose(INK, PAGE, Style::new())
    }

    /// Style of the tray below the tiles.
    pub fn tray(self) -> Style {
        self.choose(MUTED, TRAY, Style::new())
    }

    /// Style of the half row above the tiles, if the tray has a colour.
    pub fn rim(self) -> Option<Style> {
        (self.depth == Depth::True).then(|| self.choose(TRAY, PAGE, Style::new()))
    }

    /// Style of less important text.
    pub fn muted(self) -> Style {
        match self.depth {
            Depth::True => Style::new().fg(self.rgb(MUTED)),
            _ => Style::new().add_modifier(Modifier::DIM),
        }
    }

    /// Style of important text.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Style of the current position and of keys.
    pub fn accent(self) -> Style {
        match self.depth {
            Depth::True => Style::new().fg(self.rgb(ACCENT)).add_modifier(Modifier::BOLD),
            Depth::Sixteen => Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD),
            Depth::None => Style::new().add_modifier(Modifier::BOLD),
        }
    }

    /// Style of the selected move.
    pub fn chosen(self) -> Style {
        let sixteen = Style::new().fg(Color::Black).bg(Color::Cyan);
        match self.depth {
            Depth::None => Style::new().add_modifier(Modifier::REVERSED),
            _ => self.choose(ON_ACCENT, ACCENT, sixteen),
        }
    }

    /// Style of a message.
    pub fn notice(self, tone: Tone) -> Style {
        let (place, sixteen) = match tone {
            Tone::Plain => return self.muted(),
            Tone::Accent => (0, Color::Cyan),
            Tone::Good => (1, Color::Green),
            Tone::Warn => (2, Color::Yellow),
        };
        let (front, back) = SOFT[place];
        self.choose(front, back, Style::new().fg(sixteen))
    }

    /// Returns the face of a tile, given where it is in relation to the goal.
    pub fn face(self, place: TileStatus) -> Face {
        match self.depth {
            Depth::True => self.true_face(place),
            Depth::Sixteen => sixteen_face(place),
            Depth::None => plain_face(place),
        }
    }

    fn true_face(self, place: TileStatus) -> Face {
        let away = Style::new().fg(self.rgb(AWAY_INK)).bg(self.rgb(AWAY));
        let (style, edge) = match place {
            TileStatus::Blank => (self.tray(), TRAY),
            TileStatus::Home(row) => {
                let style = Style::new().fg(self.rgb(INK)).bg(self.rgb(ROWS[row % 5]));
                (style.add_modifier(Modifier::BOLD), ROWS[row % 5])
            }
            TileStatus::Away(row) => (away, ROWS[row % 5]),
            TileStatus::Anywhere => (away, AWAY),
        };
        Face { style, edge: "▀", edge_style: self.tray().fg(self.rgb(edge)) }
    }

    /// Style of the tile that moved last.
    pub fn moved(self) -> Style {
        match self.depth {
            Depth::True => Style::new().fg(self.rgb(MOVED)).add_modifier(Modifier::BOLD),
            _ => Style::new().add_modifier(Modifier::BOLD),
        }
    }
}

fn sixteen_face(place: TileStatus) -> Face {
    let (style, edge_style) = match place {
        TileStatus::Home(row) => {
            let (back, front) = ROWS_16[row % 5];
            let style = Style::new().fg(front).bg(back).add_modifier(Modifier::BOLD);
            (style, Style::new().fg(back))
        }
        TileStatus::Away(row) => (Style::new(), Style::new().fg(ROWS_16[row % 5].0)),
        TileStatus::Blank | TileStatus::Anywhere => (Style::new(), Style::new()),
    };
    let edge = if matches!(place, TileStatus::Blank | TileStatus::Anywhere) { " " } else { "▀" };
    Face { style, edge, edge_style }
}

fn plain_face(place: TileStatus) -> Face {
    let (style, edge) = match place {
        TileStatus::Home(_) => {
            (Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED), "▀")
        }
        TileStatus::Away(_) => (Style::new(), "▔"),
        TileStatus::Blank | TileStatus::Anywhere => (Style::new(), " "),
    };
    Face { style, edge, edge_style: Style::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_and_away_differ_without_colours() {
        let theme = Theme { depth: Depth::None, dark: true };
        let (home, away) = (theme.face(TileStatus::Home(0)), theme.face(TileStatus::Away(0)));
        assert!(home.style.add_modifier.contains(Modifier::REVERSED));
        assert!(!away.style.add_modifier.contains(Modifier::REVERSED));
        assert_ne!(home.edge, away.edge);
        for style in [home.style, away.style, theme.page(), theme.accent(), theme.chosen()] {
            assert_eq!((style.fg, style.bg), (None, None));
        }
    }

    #[test]
    fn rows_repeat_five_colours() {
        for depth in [Depth::Sixteen, Depth::True] {
            let theme = Theme { depth, dark: false };
            let fill = |row| theme.face(TileStatus::Home(row)).style.bg;
            assert_eq!((fill(0), fill(4)), (fill(5), fill(9)));
            assert!((0..5).all(|row| fill(row) != fill(row + 1)), "{depth:?}");
        }
    }

    #[test]
    fn themes_have_their_own_colours() {
        let [light, dark] = [false, true].map(|dark| Theme { depth: Depth::True, dark });
        assert_eq!(light.page().bg, Some(Color::Rgb(0xf2, 0xf4, 0xf3)));
        assert_eq!(dark.page().bg, Some(Color::Rgb(0x0f, 0x13, 0x15)));
    }
}
