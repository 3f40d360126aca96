//! Named values.

/// Implements `Display`, `FromStr` and the table lookup `row` for `$type`, with the names in the table `$rows` of
/// `$row`s. `$unknown` is the error for any other name.
macro_rules! named {
    ($type:ident, $what:literal, $rows:ident: $row:ident { $field:ident }, $unknown:ident) => {
        #[doc = concat!("A name that is not the name of ", $what, ".")]
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        #[error("`{0}` is not {what}; there are {names}", what = $what, names = Self::names())]
        pub struct $unknown(pub String);

        impl $unknown {
            fn names() -> String {
                $rows.iter().map(|row| row.name).collect::<Vec<_>>().join(", ")
            }
        }

        impl $type {
            /// Returns the row of the value.
            pub fn row(self) -> &'static $row {
                let row = $rows.iter().find(|row| row.$field == self);
                row.expect("every value has a row")
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.row().name)
            }
        }

        impl std::str::FromStr for $type {
            type Err = $unknown;

            fn from_str(name: &str) -> Result<Self, $unknown> {
                let row = $rows.iter().find(|row| row.name == name);
                row.map(|row| row.$field).ok_or_else(|| $unknown(name.to_owned()))
            }
        }
    };
}
pub(crate) use named;
