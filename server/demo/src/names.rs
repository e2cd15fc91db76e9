//! What people are called, and how an address is made of it.

use super::rng::DemoRng;

/// Name and handle of the operator.
pub(super) const OPERATOR: (&str, &str) = ("Demo Operator", "operator");

/// Where emails end; most of them at the first.
pub(super) const DOMAINS: [&str; 3] = ["example.com", "eu.example.com", "example.org"];

/// A part of the chief's email that no other has.
pub(super) const RARE: &str = "quixwood";

/// A name with the handle that an email begins with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) first: &'static str,
    pub(super) last: &'static str,
    handle: Option<&'static str>,
}

const fn name(first: &'static str, last: &'static str, handle: &'static str) -> Name {
    Name {
        first,
        last,
        handle: Some(handle),
    }
}

/// Who comes first. Nobody else has this name.
pub(super) const CHIEF: Name = name("Ottoline", "Quixwood", "ottoline.quixwood");

/// Names with something in them that careless programs trip over; the first of them are among the first people.
pub(super) const UNUSUAL: [Name; 24] = [
    name("Zoë", "O'Neill", "zoe.o'neill"),
    name("José", "Müller-Lüdenscheidt", "jose.mueller-luedenscheidt"),
    name("Percy", "100%", "percy.100%"),
    name("Una", "Under_Score", "una.under_score"),
    name("Ελένη", "Παπαδοπούλου", "eleni.papadopoulou"),
    name("Jörg", "Großkreutz", "joerg.grosskreutz"),
    name("花子", "山田", "hanako.yamada"),
    name("Иван", "Петров", "ivan.petrov"),
    name("Robert", "Smith, Jr.", "robert.smith.jr"),
    name("Back", "Slash\\Backslash", "back.slash"),
    name("محمد", "العلي", "mohammed.alali"),
    name("İpek", "Çelik", "ipek.celik"),
    name("Łucja", "Żółć", "lucja.zolc"),
    name("Anne-Marie", "D'Amico-Åström", "anne-marie.damico"),
    name("민준", "김", "minjun.kim"),
    name("Quote", "\"Double\"", "quote.double"),
    name("Amp", "Fish & Chips", "amp.fish+chips"),
    name("Null", "Null", "null.null"),
    name("Drop", "Table;--", "drop.table"),
    name("Ærøskøbing", "Þórðarson", "aeroskobing.thordarson"),
    name("x", "Æ", "x.ae"),
    name("Zoe\u{308}", "O\u{2019}Neill", "zoe.oneill"),
    name("Jean Luc", "de la Cruz y Núñez", "jean.luc.delacruz"),
    name("🦉", "Hibou", "owl.hibou"),
];

const FIRST: [&str; 64] = [
    "Ada",
    "Agnès",
    "Aisha",
    "Akira",
    "Alan",
    "Álvaro",
    "Amélie",
    "Anita",
    "Anton",
    "Ayşe",
    "Barbara",
    "Björn",
    "Bruno",
    "Chiara",
    "Chloé",
    "Dana",
    "Daniel",
    "Diego",
    "Edsger",
    "Elif",
    "Emma",
    "Fatima",
    "Felix",
    "François",
    "Frida",
    "Grace",
    "Guðrún",
    "Hannah",
    "Hans",
    "Ingrid",
    "Isaac",
    "Ivana",
    "James",
    "Jana",
    "Joana",
    "Jürgen",
    "Kateřina",
    "Kenji",
    "Lars",
    "Leila",
    "Liam",
    "Lukáš",
    "Maria",
    "Mehmet",
    "Mia",
    "Nils",
    "Noor",
    "Olga",
    "Omar",
    "Paula",
    "Priya",
    "Ravi",
    "René",
    "Rosa",
    "Sami",
    "Sofía",
    "Søren",
    "Tim",
    "Uma",
    "Viktor",
    "Wei",
    "Xenia",
    "Yusuf",
    "Zofia",
];

const LAST: [&str; 80] = [
    "Abe",
    "Adams",
    "Alvarez",
    "Andersen",
    "Bauer",
    "Becker",
    "Bernard",
    "Bianchi",
    "Borg",
    "Brown",
    "Castro",
    "Chen",
    "Clark",
    "Costa",
    "Dahl",
    "Davies",
    "de Vries",
    "Diaz",
    "Dubois",
    "Eriksson",
    "Evans",
    "Fernández",
    "Ferrari",
    "Fischer",
    "Fontaine",
    "Garcia",
    "Gómez",
    "Green",
    "Gruber",
    "Haddad",
    "Hansen",
    "Horvat",
    "Hughes",
    "Ito",
    "Ivanova",
    "Jansen",
    "Johnson",
    "Jones",
    "Kaya",
    "Keller",
    "Khan",
    "Kim",
    "Kováč",
    "Kowalska",
    "Larsen",
    "Lee",
    "Lefèvre",
    "Lopez",
    "MacDonald",
    "Meier",
    "Møller",
    "Moreau",
    "Müller",
    "Nagy",
    "Nguyễn",
    "Nielsen",
    "Novák",
    "O'Brien",
    "Okafor",
    "Olsen",
    "Patel",
    "Pereira",
    "Popescu",
    "Ramos",
    "Reyes",
    "Ricci",
    "Rossi",
    "Roy",
    "Santos",
    "Schmidt",
    "Silva",
    "Singh",
    "Smith",
    "Suzuki",
    "Taylor",
    "van den Berg",
    "Wagner",
    "Weiß",
    "Yılmaz",
    "Zimmermann",
];

/// A name as most people have one, or now and then an unusual one.
pub(super) fn draw(rng: &mut DemoRng) -> Name {
    if rng.once_in(12) {
        return rng.pick(&UNUSUAL);
    }
    Name {
        first: rng.pick(&FIRST),
        last: rng.pick(&LAST),
        handle: None,
    }
}

impl Name {
    /// What an email begins with, before numbers tell namesakes apart.
    pub(super) fn handle(&self) -> String {
        self.handle.map_or_else(
            || [&plain(self.first, ""), ".", &plain(self.last, "")].concat(),
            str::to_owned,
        )
    }
}

/// Lowercase letters and digits of `text` without their accents; `gap` in the place of everything else.
pub(super) fn plain(text: &str, gap: &str) -> String {
    let mut plain = String::new();
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            'a'..='z' | '0'..='9' => plain.push(letter),
            'á' | 'à' | 'â' | 'ä' | 'å' | 'ã' | 'ā' => plain.push('a'),
            'ç' | 'č' | 'ć' => plain.push('c'),
            'ð' => plain.push('d'),
            'é' | 'è' | 'ê' | 'ë' | 'ě' | 'ễ' => plain.push('e'),
            'í' | 'ı' => plain.push('i'),
            'ñ' => plain.push('n'),
            'ó' | 'ö' | 'ø' | 'ō' => plain.push('o'),
            'ř' => plain.push('r'),
            'š' | 'ş' => plain.push('s'),
            'ß' => plain.push_str("ss"),
            'ú' | 'ü' => plain.push('u'),
            // A gap is one, however wide, and never at the start.
            _ if plain.is_empty() || plain.ends_with(gap) => {}
            _ => plain.push_str(gap),
        }
    }
    plain.truncate(plain.trim_end_matches(['-', '_']).len());
    plain
}
