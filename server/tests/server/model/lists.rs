//! Lists: any query of any directory finds what the model finds.

use proptest::prelude::*;
use rollcall::list::{Form, List as _};
use rollcall::lists::DirectoryUsers;
use serde_json::json;

use super::ask::{Ask, ask};
use super::compare::{Verdict, found, given, hold, walk, whole};
use super::content::MOST_RELATED;
use super::data::directory;
use super::home::{Home, Way};
use super::large::{large, one_with_reports};
use super::row::{Directory, text};
use super::values::NOW;
use super::view::{Given, View};
use super::{cases, every_list};

fn way() -> impl Strategy<Value = Way> {
    prop_oneof![Just(Way::Load), Just(Way::Run)]
}

/// A store with the directory, and what must be shown of it.
fn settled(directory: &Directory, way: Way) -> Result<(Home, View), String> {
    let home = Home::of(directory, way);
    let given = given(&home, &View::of(directory, &Given::new(), NOW))?;
    Ok((home, View::of(directory, &given, NOW)))
}

fn all_whole(directory: &Directory, way: Way) -> Verdict {
    let (home, view) = settled(directory, way)?;
    every_list!(whole(&home, &view));
    Ok(())
}

fn users_hold(directory: &Directory, way: Way, asks: &[Ask]) -> Verdict {
    let (home, view) = settled(directory, way)?;
    asks.iter()
        .try_for_each(|ask| hold::<DirectoryUsers>("directory_users", &home, &view, ask))
}

fn all_hold(directory: &Directory, way: Way, ask: &Ask) -> Verdict {
    let (home, view) = settled(directory, way)?;
    every_list!(hold(&home, &view, ask));
    Ok(())
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn every_record_is_shown_as_it_was_written(directory in directory(), way in way()) {
        all_whole(&directory, way).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn any_query_of_users_finds_what_the_model_finds(
        directory in directory(), way in way(), asks in prop::collection::vec(ask(), 1..8),
    ) {
        users_hold(&directory, way, &asks).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn any_query_of_any_list_finds_what_the_model_finds(directory in directory(), way in way(), ask in ask()) {
        all_hold(&directory, way, &ask).map_err(TestCaseError::fail)?;
    }
}

/// Beyond this many hits the store walks the order rather than ask its search index.
#[test]
fn a_needle_that_thousands_contain_is_found_as_a_rare_one_is() {
    let directory = large(2_100);
    let (home, view) = settled(&directory, Way::Load).unwrap();
    for needle in ["ame", "NAME1", "name199", "me", "name1999", "nobody"] {
        let pairs = vec![
            ("filter[email_search]".to_owned(), needle.to_owned()),
            ("sort".to_owned(), "-last_name".to_owned()),
        ];
        let expected = view.answer("directory_users", &pairs);
        let expected: Vec<_> = expected
            .into_iter()
            .map(|row| text(row, "id").to_owned())
            .collect();
        walk::<DirectoryUsers>(&home, &pairs, &expected, 200).unwrap();
    }
}

/// A relation to many shows the first of them; its count and its list have all of them (L3).
#[test]
fn a_relation_to_hundreds_is_cut_and_its_count_and_list_are_not() {
    for reports in [MOST_RELATED - 1, MOST_RELATED, MOST_RELATED + 1, 2 * MOST_RELATED] {
        let directory = one_with_reports(410, reports as i64);
        let (home, view) = settled(&directory, Way::Load).unwrap();
        let include = Form::ALL.map(|form| ("direct-report-users", form));
        let words = include.map(|(relation, form)| [relation, form.suffix()].concat());
        let pairs = vec![
            ("filter[id]".to_owned(), "drusr_00000".to_owned()),
            ("include".to_owned(), words.join(",")),
        ];
        let expected = found::<DirectoryUsers>(&home, &view, "directory_users", &pairs, &include).unwrap();
        assert_eq!(expected.len(), 1);
        let listed = vec![("filter[manager_id]".to_owned(), "drusr_00000".to_owned())];
        let expected = found::<DirectoryUsers>(&home, &view, "directory_users", &listed, &[]).unwrap();
        assert_eq!(expected.len(), reports);
        walk::<DirectoryUsers>(&home, &listed, &expected, 200).unwrap();
    }
}

#[test]
fn a_next_page_can_be_asked_for_however_long_the_values_are() {
    let mut directory = large(4);
    // Each letter is three bytes; a full name is a first and a last name.
    let users = directory.tables.get_mut("directory_users").unwrap();
    for (number, user) in users.iter_mut().enumerate() {
        let long = |letters: usize| json!(format!("{number}{}", "漢".repeat(letters - 1)));
        for member in [
            "first_name",
            "last_name",
            "email",
            "username",
            "badge_id",
            "employee_id",
            "employee_alt_id",
        ] {
            user.insert(member, long(255));
        }
        user.insert("full_name", long(511));
    }
    let home = Home::of(&directory, Way::Load);
    let shown = home.page::<DirectoryUsers>("").unwrap().records.read().unwrap();
    assert!(shown.len() > 1);
    for (word, _) in DirectoryUsers::SORT {
        let mut query = format!("sort={word}&page%5Bsize%5D=1");
        let mut pages = 1;
        loop {
            let page = home.page::<DirectoryUsers>(&query);
            let page = page.unwrap_or_else(|why| panic!("page {pages} by {word}: {why}"));
            let next = page.links.iter().find(|(relation, _)| *relation == "next");
            let Some((_, next)) = next else { break };
            query = next.split_once('?').unwrap().1.to_owned();
            pages += 1;
        }
        assert_eq!(pages, shown.len(), "{word}");
    }
}
