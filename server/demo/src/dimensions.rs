//! The dimensions of the demo and their values, as a table.

use rollcall::model::DirectoryUserState as State;

/// Handles of the dimensions that rules look at.
pub(super) const DEPARTMENT: &str = "department";
pub(super) const LOCATION: &str = "location";
pub(super) const TITLE: &str = "title";
pub(super) const COST_CENTER: &str = "cost_center";
pub(super) const DIVISION: &str = "division";
/// The dimension of attributes that an administrator made to carry rules.
pub(super) const ACCESS: &str = "access";

/// The departments people are in.
pub(super) const DEPARTMENTS: [&str; 11] = [
    "Engineering",
    "Research",
    "Finance",
    "Operations",
    "Sales",
    "Support",
    "Marketing",
    "Legal",
    "People & Culture",
    "R&D, Labs",
    "Security",
];

/// A dimension with its attributes.
pub(super) struct Dimension {
    pub(super) handle: &'static str,
    pub(super) name: &'static str,
    pub(super) state: State,
    pub(super) trashed: bool,
    /// Made by an administrator instead of imported.
    pub(super) made: bool,
    /// The attributes people have.
    pub(super) values: &'static [&'static str],
    /// Others, in other states.
    pub(super) unusual: &'static [(&'static str, State)],
    /// The soft-deleted one.
    pub(super) dropped: Option<&'static str>,
}

/// One that describes nobody (yet, or any more).
const fn idle(handle: &'static str, name: &'static str, state: State) -> Dimension {
    Dimension {
        handle,
        name,
        state,
        trashed: false,
        made: false,
        values: &[],
        unusual: &[],
        dropped: None,
    }
}

/// All of them.
pub(super) const DIMENSIONS: [Dimension; 11] = [
    Dimension {
        values: &DEPARTMENTS,
        unusual: &[
            ("Field Marketing", State::Expiring),
            ("Mainframe", State::Expired),
            ("Robotics", State::Staged),
            ("Typing Pool", State::Deactivated),
        ],
        dropped: Some("Telex"),
        ..idle(DEPARTMENT, "Department", State::Active)
    },
    Dimension {
        values: &[
            "Zürich",
            "London",
            "New York",
            "São Paulo",
            "Kraków",
            "Reykjavík",
            "Québec",
            "München",
            "東京",
            "100% Remote",
        ],
        unusual: &[
            ("Bonn", State::Expired),
            ("Ålesund", State::Staged),
            ("Oslo", State::Expiring),
        ],
        ..idle(LOCATION, "Location", State::Active)
    },
    Dimension {
        values: &[
            "Engineer",
            "Senior Engineer",
            "Analyst",
            "Manager",
            "Director",
            "Designer",
            "Counsel",
            "Representative",
            "Technician",
            "Intern",
        ],
        unusual: &[("Webmaster", State::Deactivated)],
        ..idle(TITLE, "Title", State::Active)
    },
    Dimension {
        values: &[
            "CC-1000", "CC-1010", "CC-1100", "CC-2000", "CC-2100", "CC-3000", "CC_31%",
        ],
        unusual: &[("CC-9000", State::Expiring)],
        ..idle(COST_CENTER, "Cost center", State::Active)
    },
    Dimension {
        values: &["Products", "Services", "Corporate", "Americas"],
        unusual: &[("Holding", State::Deactivated)],
        ..idle(DIVISION, "Division", State::Active)
    },
    Dimension {
        made: true,
        values: &[
            "VPN",
            "Source control",
            "Payroll",
            "On-call",
            "Production",
            "Customer data",
            "Audit",
        ],
        unusual: &[
            ("Office badge", State::Expiring),
            ("Fax gateway", State::Expired),
            ("Robot arm", State::Staged),
        ],
        ..idle(ACCESS, "Access", State::Active)
    },
    idle("shift", "Shift", State::Staged),
    idle("region", "Region", State::Expiring),
    idle("floor", "Floor", State::Expired),
    idle("team", "Team", State::Deactivated),
    Dimension {
        trashed: true,
        ..idle("pager", "Pager", State::Active)
    },
];
