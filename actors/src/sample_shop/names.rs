//! Customers' names: long and short, in several alphabets, spelled the several ways in which
//! dealer systems spell them, so that layouts and searches meet them early.

use rand::Rng;
use rand::rngs::StdRng;

use super::{Scripts, word};

/// The longest name in the shop; exactly one customer bears it.
pub(super) const LONG_NAME: &str = "Maria-Magdalena Konstantinopoulou-Featherstonehaugh von und zu \
    Hohenlohe-Waldenburg-Schillingsfürst de la Santísima Trinidad";

/// Borne by a customer each in every shop: somebody of each language of the page, and one of other letters.
pub(super) const CERTAIN_NAMES: [&str; 5] = [
    "Ольга Бондаренко",
    "José Ángel Núñez",
    LONG_NAME,
    "Jürgen Großmann",
    "Margaret O'Brien",
];

/// A retail customer. `capitals`: the advisor's terminal writes capitals only.
pub(super) fn customer(rng: &mut StdRng, capitals: bool, scripts: Scripts) -> String {
    let name = match rng.random_range(0..100) {
        0..8 => word(rng, COMPANIES).to_string(),
        8..15 => return in_other_letters(rng, scripts),
        15..20 => format!(
            "{} & {} {}",
            word(rng, FIRST),
            word(rng, FIRST),
            word(rng, LAST)
        ),
        20..25 => format!(
            "{} {}-{}",
            word(rng, FIRST),
            word(rng, LAST),
            word(rng, LAST)
        ),
        _ => person(rng, capitals),
    };
    if capitals { name.to_uppercase() } else { name }
}

fn in_other_letters(rng: &mut StdRng, scripts: Scripts) -> String {
    let is_shipped = match scripts {
        Scripts::Shipped => true,
        Scripts::All => rng.random_bool(0.4),
    };
    word(
        rng,
        if is_shipped {
            OTHER_LETTERS
        } else {
            OTHER_SCRIPTS
        },
    )
    .to_owned()
}

fn person(rng: &mut StdRng, capitals: bool) -> String {
    let first = word(rng, FIRST);
    let last = word(rng, LAST);
    let initial = word(rng, INITIALS);
    match rng.random_range(0..4) {
        // Terminals that write capitals keep the family name first, with and without a space.
        0 | 1 if capitals => format!("{last}, {first} {initial}"),
        2 if capitals => format!("{last},{first} {initial}"),
        0 => format!("{first} {initial}. {last}"),
        _ => format!("{first} {last}"),
    }
}

/// Who pays for work on a car of the dealer's own: the new- or the used-car lot.
pub(super) fn new_car_lot(rng: &mut StdRng) -> String {
    format!(
        "NEW VEHICLE INVENTORY N{}",
        rng.random_range(24_000..27_000)
    )
}

pub(super) fn used_car_lot(rng: &mut StdRng) -> String {
    let stock = rng.random_range(7_000..9_999);
    match rng.random_range(0..3) {
        0 => format!("USED VEHICLE INVENTORY U{stock}"),
        1 => format!("USED VEHICLE INVENTORY U{stock}A"),
        _ => format!("AUCTION PURCHASE U{stock}"),
    }
}

const INITIALS: &[&str] = &[
    "A", "B", "C", "D", "E", "F", "G", "H", "J", "K", "L", "M", "N", "P", "R", "S", "T", "V", "W",
];

#[rustfmt::skip] // a word list reads as words, not as a column
const FIRST: &[&str] = &[
    "Aaron", "Abigail", "Adaeze", "Ahmed", "Al", "Amélie", "Anders", "Angela", "Anneliese", "Antonio",
    "Beatriz", "Ben", "Billie-Jo", "Bronwyn", "Carlos", "Chloë", "Christopher", "Cristóbal", "Dale", "Danielle",
    "DeShawn", "Delroy", "Ed", "Eilidh", "Elżbieta", "Emeka", "Esperanza", "Fatima", "Francesca", "François",
    "Gabriel", "Genevieve", "Gloria", "Grace", "Guadalupe", "Gunnar", "Harold", "Hye-jin", "Ian", "Imani",
    "Ingrid", "Isabella", "Jada", "James", "Jean-Pierre", "Jesús", "Jo", "Joaquín", "Joyce", "Kai",
    "Katarzyna", "Kaveh", "Kwame", "LaToya", "Lakshmi", "Leilani", "Liam", "Lourdes", "Mackenzie", "Maeve",
    "Małgorzata", "Marcus", "Margaret", "Mary Beth", "Matteo", "Mehmet", "Mohammed", "Monique", "Nadia", "Niamh",
    "Noah", "Olga", "Oluwaseun", "Patricia", "Pedro", "Quang", "Rajesh", "Rebecca", "Rosalind", "Ruth",
    "Ryan", "Saoirse", "Shaniqua", "Søren", "Sunita", "Ted", "Theodora", "Thomas", "Ursula", "Valentina",
    "Vikram", "Walter", "Wendy", "Xiomara", "Yasmin", "Yolanda", "Zachary", "Zbigniew", "Zoë", "Zuzana",
];

#[rustfmt::skip] // a word list reads as words, not as a column
const LAST: &[&str] = &[
    "Abernathy", "Adeyemi", "Ali", "Álvarez", "Andersson", "Avila-Moreno", "Bauer", "Beauchamp", "Bhattacharyya", "Blackwood",
    "Bouchard", "Brown", "Callahan", "Carter", "Castellano", "Chen", "Chukwu", "Clarke", "Cohen", "Córdova",
    "D'Amico", "D'Souza", "Davis", "De La Cruz", "Delacroix", "Diaz", "Dvořák", "Eriksen", "Farnsworth", "Fernández",
    "Fitzgerald", "Fong", "Fujimoto", "Garcia", "Ghosh", "Gonçalves", "Greene", "Großmann", "Gutiérrez", "Haddad",
    "Hernandez", "Hsu", "Hughes", "Ibarra", "Ito", "Iyer", "Jackson", "Johansen", "Johnson", "Kaplan",
    "Keller", "Khan", "Kim", "Kowalski", "Kuznetsov", "Lee", "Lefèvre", "Li", "López", "Łukaszewicz",
    "Mac Gabhann", "Mahoney", "Martinez", "McAllister", "Miller", "Mkhize", "Müller", "Nakagawa", "Nguyen", "Nuñez",
    "O'Brien", "O'Connell", "O'Donoghue", "Oduya", "Okafor", "Ortiz", "Østergaard", "Özdemir", "Papadopoulos", "Park",
    "Patel", "Pereira", "Peterson", "Petrov", "Pham", "Quiñones", "Ramirez", "Reyes", "Robinson", "Rosenthal",
    "Saint-Laurent", "Sanchez", "Santos", "Schneider", "Shapiro", "Silva", "Singh", "Smith", "Smythe-Jones", "Sørensen",
    "St. John", "Sullivan", "Szczepański", "Tanaka", "Thompson", "Torres", "Tran", "Traoré", "Underwood", "Van der Berg",
    "Vasquez", "Villanueva", "Vo", "Walker", "Washington", "Whitfield", "Williams", "Wójcik", "Wu", "Yamamoto",
    "Yilmaz", "Young", "Zhang", "Zimmerman",
];

/// A company has no comma between family and given name, but may have one of its own.
const COMPANIES: &[&str] = &[
    "A1 Towing",
    "Acme Property Management LLC",
    "Bayou City Catering, Inc.",
    "Blue Ridge Hospice & Home Care",
    "Brightwater Pool Service",
    "City of Fairview - Parks Dept",
    "Delgado & Sons Plumbing, Inc.",
    "Enterprise Fleet Mgmt Acct 4471",
    "First Baptist Church of Oak Hollow",
    "Gonzalez Landscaping",
    "Harmon Electric Co.",
    "J. P. Whitcombe Roofing and Sheet Metal Contractors of the Tri-County Area, LLC",
    "Kwik-Kool A/C",
    "Lone Star Pest Control",
    "Northside Veterinary Clinic, P.A.",
    "O'Malley's Pub & Grill",
    "Pho 99",
    "Rossi Bros. Concrete",
    "St. Mary's School (Sr. Agnes)",
    "U-Haul of West Loop",
    "Zamora Trucking S. de R.L.",
];

/// In letters that Latin fonts mostly have, too.
const OTHER_LETTERS: &[&str] = &[
    "Наталья Сергеевна Иванова",
    "Дмитро Шевченко",
    "Владимир Ким",
    "Ольга Бондаренко",
    "Γιώργος Παπαδόπουλος",
    "Αικατερίνη Νικολάου",
    "Nguyễn Thị Thanh Hương",
    "Trần Văn Đức",
    "Þórður Guðmundsson",
    "Ng",
];

/// In scripts that have fonts of their own.
const OTHER_SCRIPTS: &[&str] = &[
    "王小明",
    "李秀英",
    "陳大文",
    "欧阳娜娜",
    "山田 太郎",
    "佐々木 美咲",
    "김민준",
    "박서연",
    "محمد عبد الله",
    "فاطمة الزهراء بن علي",
    "علی رضایی",
    "דוד לוי",
    "प्रिया शर्मा",
    "สมชาย ใจดี",
    "Նարեկ Պետրոսյան",
    "ნინო ბერიძე",
];
