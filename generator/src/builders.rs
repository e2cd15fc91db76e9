//! Builders of models. Callers build only the bodies of requests. The builders of all other models would be three quarters of
//! the generated models, and each build would compile them.

use std::collections::BTreeSet;

use syn::visit_mut::{self, VisitMut};
use syn::{File, Ident, ImplItem, Item, ItemImpl, ItemMod, Path, PathArguments, Type};

/// The module of the builders, and the function that makes one.
const BUILDER: &str = "builder";

/// Removes the builders of models that the client does not take.
pub(crate) fn keep_those_of_bodies(file: &mut File) {
    let mut bodies = Bodies::default();
    bodies.visit_file_mut(file);
    for item in &mut file.items {
        if let Item::Mod(ItemMod { ident, content, .. }) = item
            && ident == "types"
            && let Some((_, items)) = content
        {
            items.retain_mut(|item| keeps(item, &bodies.0));
        }
    }
}

/// The models whose builders the client names, as `types::builder::DeprecateRequest`.
#[derive(Default)]
struct Bodies(BTreeSet<Ident>);

impl VisitMut for Bodies {
    fn visit_path_mut(&mut self, path: &mut Path) {
        let mut names = path.segments.iter().map(|segment| &segment.ident);
        if names.any(|name| name == "types") && names.next().is_some_and(|name| name == BUILDER) {
            self.0.extend(names.next().cloned());
        }
        visit_mut::visit_path_mut(self, path);
    }
}

/// Removes from an item all builders but those of `bodies`. Says whether anything is left of the item.
fn keeps(item: &mut Item, bodies: &BTreeSet<Ident>) -> bool {
    match item {
        Item::Mod(ItemMod {
            ident,
            content: Some((_, builders)),
            ..
        }) if ident == BUILDER => {
            builders.retain(|builder| built(builder).is_none_or(|model| bodies.contains(model)));
            !builders.is_empty()
        }
        Item::Impl(methods)
            if methods.trait_.is_none()
                && name(&methods.self_ty).is_some_and(|model| !bodies.contains(model)) =>
        {
            methods
                .items
                .retain(|method| !matches!(method, ImplItem::Fn(one) if one.sig.ident == BUILDER));
            !methods.items.is_empty()
        }
        _ => true,
    }
}

/// The model that an item of the module of builders is about.
fn built(item: &Item) -> Option<&Ident> {
    match item {
        Item::Struct(one) => Some(&one.ident),
        Item::Impl(ItemImpl { self_ty, .. }) => name(self_ty),
        _ => None,
    }
}

fn name(of: &Type) -> Option<&Ident> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last()?;
    matches!(last.arguments, PathArguments::None).then_some(&last.ident)
}
