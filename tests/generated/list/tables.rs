//! The tables of each list say what the contract says.

use rollcall::list::{Form, List};
use rollcall_contract::{Operation, Parameter};

use super::for_every_list;
use crate::CONTRACT;

fn operation<L: List>() -> &'static Operation {
    CONTRACT.operation(L::OPERATION).unwrap()
}

#[test]
fn every_list_of_the_contract_is_tested() {
    fn name<L: List>() -> &'static str {
        L::OPERATION
    }
    let mut tested = for_every_list!(name);
    let mut lists: Vec<&str> = CONTRACT
        .lists()
        .map(|(operation, _)| operation.id.as_str())
        .collect();
    tested.sort_unstable();
    lists.sort_unstable();
    assert_eq!(tested.as_slice(), lists, "add the list to for_every_list");
}

#[test]
fn a_list_takes_the_parameters_of_its_operation_and_no_others() {
    fn check<L: List>() {
        let mut taken: Vec<&str> = L::ROLES.iter().map(|(name, _)| *name).collect();
        taken.extend(L::FILTERS.iter().map(|filter| filter.name));
        let parameters = operation::<L>().parameters.iter();
        let mut queried: Vec<&str> = parameters
            .filter(|one| one.filter.is_some() || one.role.is_some())
            .map(name)
            .collect();
        taken.sort_unstable();
        queried.sort_unstable();
        assert_eq!(taken, queried, "{}", L::OPERATION);
    }
    fn name(parameter: &Parameter) -> &str {
        &parameter.name
    }
    for_every_list!(check);
}

#[test]
fn a_list_sorts_and_includes_what_the_contract_says() {
    fn check<L: List>() {
        let list = operation::<L>().list.as_ref().unwrap();
        let sort: Vec<&str> = list.sort.iter().map(|(word, _)| word.as_str()).collect();
        assert_eq!(L::SORT.iter().map(|(word, _)| *word).collect::<Vec<_>>(), sort);
        let relations: Vec<_> = list
            .relations
            .iter()
            .map(|one| (one.name.as_str(), one.member.as_str(), one.many))
            .collect();
        let specs: Vec<_> = L::RELATIONS
            .iter()
            .map(|spec| (spec.name, spec.member, spec.many))
            .collect();
        assert_eq!(specs, relations);
        let default: Vec<_> = list
            .default_sort
            .iter()
            .map(|key| (key.field.as_str(), key.descending))
            .collect();
        let word = |field| L::SORT.iter().find(|(_, known)| *known == field).unwrap().0;
        assert_eq!(
            L::DEFAULT_SORT
                .iter()
                .map(|key| (word(key.field), key.descending))
                .collect::<Vec<_>>(),
            default
        );
    }
    for_every_list!(check);
}

#[test]
fn the_forms_of_a_relation_are_named_as_in_the_contract() {
    let (_, list) = CONTRACT
        .lists()
        .find(|(_, list)| !list.relations.is_empty())
        .unwrap();
    let relation = &list.relations[0];
    let names = Form::ALL.map(|form| format!("{}{}", relation.name, form.suffix()));
    assert_eq!(
        names,
        [
            relation.name.clone(),
            relation.count_name(),
            relation.exists_name()
        ]
    );
}
