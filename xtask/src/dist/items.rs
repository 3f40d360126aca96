//! The items of a release: one row per file.

use anyhow::Result;

use super::platform::{LINUX_ARM, LINUX_X86, Platform, WINDOWS_X86};
use super::release::Release;
use super::{deb, program, python, site, third_party};

/// A file of a release.
pub struct Item {
    pub kind: Kind,
    /// The platform that it runs on, or `None` if it runs on any.
    pub platform: Option<&'static Platform>,
}

/// Kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Program,
    Deb,
    Wheel,
    Sdist,
    Page,
    Npm,
    Source,
    Bill,
}

/// All items, in the order in which they are built.
pub const ITEMS: &[Item] = &[
    Item { kind: Kind::Source, platform: None },
    Item { kind: Kind::Bill, platform: None },
    Item { kind: Kind::Page, platform: None },
    Item { kind: Kind::Npm, platform: None },
    Item { kind: Kind::Program, platform: Some(&LINUX_X86) },
    Item { kind: Kind::Program, platform: Some(&LINUX_ARM) },
    Item { kind: Kind::Program, platform: Some(&WINDOWS_X86) },
    Item { kind: Kind::Deb, platform: Some(&LINUX_X86) },
    Item { kind: Kind::Deb, platform: Some(&LINUX_ARM) },
    Item { kind: Kind::Wheel, platform: Some(&LINUX_X86) },
    Item { kind: Kind::Wheel, platform: Some(&LINUX_ARM) },
    Item { kind: Kind::Sdist, platform: None },
];

impl Kind {
    /// Returns the name of the kind in the manifest and in names of items.
    pub fn name(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Deb => "deb",
            Self::Wheel => "wheel",
            Self::Sdist => "sdist",
            Self::Page => "page",
            Self::Npm => "npm",
            Self::Source => "source",
            Self::Bill => "bill",
        }
    }

    pub fn summary(self) -> &'static str {
        match self {
            Self::Program => "archive with the program, its manual page and shell completions",
            Self::Deb => "package for Debian and its derivatives",
            Self::Wheel => "package for Python with the compiled module",
            Self::Sdist => "package for Python to be compiled by pip",
            Self::Page => "static site: the page with its engine as WebAssembly",
            Self::Npm => "package for JavaScript, which `cargo xtask npm` writes",
            Self::Source => "all files of the commit",
            Self::Bill => "bill of materials of the programs (CycloneDX)",
        }
    }
}

impl Item {
    pub fn name(&self) -> String {
        match self.platform {
            Some(platform) => format!("{}-{}", self.kind.name(), platform.name),
            None => self.kind.name().to_owned(),
        }
    }

    /// Returns the name of the platform in the manifest.
    pub fn platform_name(&self) -> &'static str {
        self.platform.map_or("any", |platform| platform.name)
    }

    /// Builds the item in the output folder and returns the name of its file.
    ///
    /// # Errors
    /// Fails if a tool is missing or the build fails.
    pub fn make(&self, release: &Release) -> Result<String> {
        let platform = self.platform.unwrap_or(&LINUX_X86);
        match self.kind {
            Kind::Program => program::archive(release, platform),
            Kind::Deb => deb::package(release, platform),
            Kind::Wheel => python::wheel(release, platform),
            Kind::Sdist => python::sdist(release),
            Kind::Page => site::page(release),
            Kind::Npm => site::npm(release),
            Kind::Source => site::source(release),
            Kind::Bill => {
                let targets =
                    [&LINUX_X86, &LINUX_ARM, &WINDOWS_X86].map(|platform| platform.target);
                third_party::bill(release, "loyd", &targets)
            }
        }
    }
}
