//! Files that arrive in pieces, and files that are longer than what is kept of them.

use proptest::prelude::*;

use super::arbitrary::scraps;
use super::*;

const SAMPLES: [(&str, &[u8]); 6] = [
    ("ours.json", include_bytes!("../samples/ours.json")),
    ("ours.csv", include_bytes!("../samples/ours.csv")),
    ("cdk.json", include_bytes!("../samples/cdk.json")),
    ("star.json", include_bytes!("../samples/star.json")),
    ("star.csv", include_bytes!("../samples/star.csv")),
    ("aliases.csv", include_bytes!("../samples/aliases.csv")),
];

fn cut(name: &str, bytes: &[u8], sizes: &[usize]) -> Result<ReadOutput, ReadError> {
    let mut rest = bytes;
    let mut sizes = sizes.iter().cycle();
    let pieces = std::iter::from_fn(|| {
        let size = (*sizes.next()?).min(rest.len());
        let (piece, after) = rest.split_at(size);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    });
    in_pieces(name, pieces, FormatChoice::Auto, &chicago(), now())
}

#[test]
fn samples_are_the_same_in_pieces_of_any_size() {
    for (name, bytes) in SAMPLES {
        let whole = cut(name, bytes, &[bytes.len()]);
        for size in [1, 2, 3, 7, 64, 1_000] {
            assert_eq!(cut(name, bytes, &[size]), whole, "{name} in {size}");
            assert_eq!(
                cut("-", bytes, &[size]),
                whole,
                "{name} without its name, in {size}"
            );
        }
    }
}

#[test]
fn blank_lines_before_the_header_are_skipped_in_pieces_too() {
    let file = b"\0\t\t\r\n\n \t\n\0\nro\tcustomer\n4389\tAnn\n";
    let whole = cut("a.csv", file, &[file.len()]);
    assert_eq!(numbers(whole.as_ref().unwrap()), [4389]);
    for size in [1, 2, 3, 7] {
        assert_eq!(cut("a.csv", file, &[size]), whole, "in {size}");
    }
    let many = [&b" \n".repeat(200_000)[..], file].concat();
    let parsed = cut("a.csv", &many, &[many.len()]).unwrap();
    assert_eq!(numbers(&parsed), [4389]);
}

proptest! {
    #[test]
    fn how_a_file_is_cut_makes_no_difference(
        text in scraps(),
        junk in prop::collection::vec(any::<u8>(), 0..4),
        sizes in prop::collection::vec(1_usize..12, 1..8),
    ) {
        let mut with_junk = text.clone().into_bytes();
        let middle = with_junk.len() / 2;
        with_junk.splice(middle..middle, junk);
        for bytes in [text.as_bytes(), &with_junk] {
            let list = [b"[{\"roNumber\":1},", bytes].concat();
            let lines = [b"{\"roNumber\":1}\n", bytes].concat();
            let headed = [b"\xEF\xBB\xBFro,customer\r\n1,\"A\r\nB\"\r\n", bytes].concat();
            for (name, bytes) in [("a.json", bytes), ("a.json", &list), ("a.json", &lines), ("a.csv", bytes), ("a.csv", &headed), ("-", bytes)] {
                let whole = cut(name, bytes, &[bytes.len().max(1)]);
                prop_assert_eq!(cut(name, bytes, &[1]), whole.clone());
                prop_assert_eq!(cut(name, bytes, &sizes), whole);
            }
        }
    }
}

/// Feeds what `piece` gives, and forgets what comes out; counts records and rejects.
fn count_pieces(name: &str, pieces: impl IntoIterator<Item = String>) -> (usize, Vec<Reject>) {
    let mut reader = FileReader::new(name, FormatChoice::Auto, chicago(), now());
    let mut parsed = ReadOutput::default();
    let (mut records, mut rejects) = (0, Vec::new());
    for piece in pieces {
        reader.feed(piece.as_bytes(), &mut parsed).unwrap();
        records += parsed.records.drain(..).count();
        rejects.append(&mut parsed.rejects);
    }
    reader.finish(&mut parsed).unwrap();
    rejects.append(&mut parsed.rejects);
    (records + parsed.records.len(), rejects)
}

#[test]
fn orders_are_known_before_the_file_ends() {
    let mut reader = FileReader::new("a.csv", FormatChoice::Auto, chicago(), now());
    let mut parsed = ReadOutput::default();
    reader.feed(b"ro,concern\n", &mut parsed).unwrap();
    for number in 1..=3_000 {
        let rows = format!("{number},a\n{number},b\n");
        reader.feed(rows.as_bytes(), &mut parsed).unwrap();
        assert_eq!(
            parsed.records.len(),
            (number as usize).saturating_sub(1_000)
        );
    }
    reader.finish(&mut parsed).unwrap();
    assert_eq!(numbers(&parsed), (1..=3_000).collect::<Vec<i64>>());
    assert!(
        parsed
            .records
            .iter()
            .all(|record| record.order.jobs.len() == 2)
    );
}

#[test]
fn a_row_far_behind_its_order_continues_it() {
    let between = |from: i64| {
        (from..from + 1_001)
            .map(|number| format!("{number},,,5,\n"))
            .collect::<String>()
    };
    let parsed = csv(&format!(
        "ro,jobNumber,concern,technicianId,customer\n7,1,a,1,Ann\n8,,a,1,\n{}7,2,b,2,\n8,,b,2,\n8,1,c,,\n8,,,3,\n",
        between(100)
    ));
    let sevens: Vec<&Record> = parsed
        .records
        .iter()
        .filter(|record| record.number.get() == 7)
        .collect();
    let [first, more] = sevens.as_slice() else {
        panic!("two parts")
    };
    assert_eq!((first.continues, more.continues), (false, true));
    assert_eq!(first.warnings, [""; 0]);
    assert!(more.warnings[0].starts_with("Rows of a repair order stand far apart"));
    assert_eq!(more.order.jobs[0].job_number, 2);
    assert_eq!(
        more.order.etl_technicians.as_ref().unwrap()[0].technician,
        2
    );
    assert_eq!(places(&parsed), ["line 1006", "line 1007"]);
    for reject in &parsed.rejects {
        assert_eq!(
            reject.reason,
            "This job of RO number 8 comes too long after the order's other rows to be numbered with them: \
             keep an order's rows together, or give job numbers"
        );
    }
    let eights = parsed
        .records
        .iter()
        .filter(|record| record.number.get() == 8);
    assert_eq!(eights.count(), 2, "a row without a job is still taken");
}

#[test]
fn a_row_that_is_too_long_is_refused_and_the_rest_is_read() {
    let long = "x".repeat(1024 * 1024);
    let longs = |count| std::iter::repeat_n(long.clone(), count);
    let text = |text: &str| std::iter::once(text.to_owned());
    for count in [9, 20] {
        let pieces = text("ro,customer\n1,A\n2,")
            .chain(longs(count))
            .chain(text("\n3,C\n"));
        let (records, rejects) = count_pieces("a.csv", pieces);
        assert_eq!((records, rejects[0].place.as_str()), (2, "line 3"));
        assert!(rejects[0].reason.starts_with("The row is longer than 8 MB"));
        let pieces = text("[{\"ro\": 1}, {\"ro\": 2, \"customer\": \"")
            .chain(longs(count))
            .chain(text("\"}, {\"ro\": 3}]"));
        let (records, rejects) = count_pieces("a.json", pieces);
        assert_eq!((records, rejects[0].place.as_str()), (2, "entry 2"));
        let pieces = text("{\"ro\": 1}\n{\"ro\": 2, \"customer\": \"")
            .chain(longs(count))
            .chain(text("\"}\n{\"ro\": 3}\n"));
        let (records, rejects) = count_pieces("a.json", pieces);
        assert_eq!(
            (records, rejects.len(), rejects[0].place.as_str()),
            (2, 1, "line 2")
        );
    }
}

#[test]
fn a_quote_that_is_never_closed_costs_its_line_in_a_long_file_too() {
    let rows = (2..=60).map(|batch| {
        (0..1_000)
            .map(|row| format!("{},{row:0>200}\n", batch * 1_000 + row))
            .collect::<String>()
    });
    let (records, rejects) = count_pieces(
        "a.csv",
        std::iter::once("ro,customer\n1,\"A\n".to_owned()).chain(rows),
    );
    assert_eq!((records, rejects.len()), (59_000, 1));
    assert_eq!(rejects[0].raw, "1,\"A");
}

#[test]
fn searching_for_a_closing_quote_takes_no_longer_than_reading() {
    let rows = std::iter::repeat_n("x\",\"x\n".repeat(10_000), 5);
    let (records, rejects) = count_pieces(
        "a.csv",
        std::iter::once("ro,customer\n".to_owned()).chain(rows),
    );
    assert_eq!((records, rejects.len()), (0, 50_000));
}

#[test]
fn objects_one_after_the_other_are_entries() {
    let parsed = json("{\n \"ro\": 1\n}\n{\n \"ro\": 2\n}\n{\"ro\": 3}");
    assert_eq!(numbers(&parsed), [1, 2, 3]);
    assert_eq!(parsed.records[2].place, "entry 3");
    let parsed = json("{\n \"ro\": 1\n}\n{\n \"ro\": 2\n");
    assert_eq!(
        (numbers(&parsed), places(&parsed)),
        (vec![1], vec!["entry 2"])
    );
}

#[test]
fn a_first_line_with_a_quote_too_few_costs_itself_only() {
    let parsed = json("{\"ro\": \"1}\n{\"ro\": \"2\"}\n{\"ro\": \"3\"}\n");
    assert_eq!(
        (numbers(&parsed), places(&parsed)),
        (vec![2, 3], vec!["line 1"])
    );
}
