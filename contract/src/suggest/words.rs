//! The words that names are made of: what each says of a parameter. All in small letters, without separators.

/// Words, separated by spaces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words(&'static str);

impl Words {
    pub(super) fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.split(' ')
    }

    pub(super) fn has(self, word: &str) -> bool {
        self.iter().any(|other| other == word)
    }
}

/// A page by its number.
pub(super) const PAGE: Words = Words("page pagenumber pageno pagenum pageindex currentpage p pg pagenr");
/// How many records make a page.
pub(super) const PAGE_SIZE: Words = Words(
    "perpage pagesize limit maxresults maxpagesize maxitems pagelimit pagelength itemsperpage \
     resultsperpage top take size count rows first num recordsperpage",
);
/// The cursor of a page.
pub(super) const CURSOR: Words = Words(
    "cursor pagecursor nextcursor aftercursor cursorafter pagetoken nextpagetoken nexttoken \
     continuationtoken continuation continue paginationtoken startingafter after pageafter marker \
     nextmarker scrollid bookmark position",
);
/// The same, where the answer shows the next one by this name: `offset` may be an opaque text.
pub(super) const TOKEN: Words = Words("offset start token");
/// Whether to count all records.
pub(super) const PAGE_TOTAL: Words = Words(
    "total pagetotal withtotal includetotal includetotals includetotalcount totalcount count \
     withcount includecount includetotalresultcount includetotalresults",
);
pub(super) const SORT: Words =
    Words("sort sorts sortby sortfield sortkey sorting order orderby ordering orderfield pagesort");
pub(super) const INCLUDE: Words = Words("include includes expand embed embeds expansions with relations");

/// A bound from below, at the end or at the beginning of a name.
pub(super) const AFTER: Words =
    Words("after since from gt gte ge gteq min minimum start begin starting newer lower newerthan");
/// A bound from above.
pub(super) const BEFORE: Words =
    Words("before until to till lt lte le lteq max maximum end ending older upper olderthan through");
/// A part of a text.
pub(super) const CONTAINS: Words =
    Words("search contains contain like ilike icontains match matches partial substring cont query term");
/// Equality, where a name says so.
pub(super) const EQUAL: Words = Words("eq equals equal is exact");
/// A search without the name of a member.
pub(super) const SEARCH: Words =
    Words("q query search keyword keywords text term searchterm searchquery searchtext filter find");
/// Ways to match that no filter of the runner has.
pub(super) const OTHER_MATCHES: Words = Words(
    "not ne neq nin in any all exists null isnull startswith istartswith endswith prefix between \
     range regex",
);
/// Stems of what is said of a soft-deleted record.
pub(super) const DELETED: Words = Words("delet trash trashed withdrawn remov archiv discard");
/// Words around such a stem.
pub(super) const AROUND_DELETED: Words = Words("with include included only show list including filter also");
/// The values of a filter by soft deletion: with the deleted, only them, without them.
pub(super) const WITH: Words = Words("with any all include included both true withdeleted");
pub(super) const ONLY: Words = Words("only exclusively exclusive deleted trashed onlydeleted archived");
pub(super) const WITHOUT: Words = Words("without never none exclude excluded false no active live");

/// The members of an answer that hold its records.
pub(super) const CONTAINERS: Words = Words(
    "data items results value values records entries list elements nodes resources content docs \
     hits rows objects",
);
/// The members of an answer that hold such a container.
pub(super) const AROUND_CONTAINERS: Words =
    Words("data result results response embedded body payload content");
/// The members of an answer that hold the cursor of the next page, wherever they are.
pub(super) const NEXT: Words = Words(
    "next nextcursor nextpagetoken nextpagecursor nexttoken nextmarker nextpage endcursor \
     continuationtoken cursornext nextstartingafter nextposition nextoffset",
);
/// The members that do so where the object around them is one of [`AROUND_NEXT`].
pub(super) const NEXT_WITHIN: Words = Words("after cursor offset token marker startingafter pagetoken");
pub(super) const AROUND_NEXT: Words =
    Words("next nextpage paging pagination cursors page meta pageinfo responsemetadata");

/// The members that identify a record, the likelier first.
pub(super) const IDENTIFIERS: Words = Words("id uuid guid uid gid sid key code slug identifier handle name");

/// The direction of an order, in a parameter of its own.
pub(super) const DIRECTION: Words = Words(
    "direction sortorder sortdirection sortdir dir orderdir orderdirection asc ascending desc sortascending \
     descending order reverse",
);

/// What is known and has no annotation: names, and why.
pub(super) const WITHOUT_ANNOTATION: [(Words, &str); 4] = [
    (
        Words("offset skip start startat startindex from pageoffset startrecord startrow"),
        "it counts the records to skip, and the runner reads pages by number or by cursor",
    ),
    (
        DIRECTION,
        "it is the direction of an order, which the runner writes as a - before the field",
    ),
    (
        Words(
            "before endingbefore pagebefore previouscursor prevcursor beforecursor cursorbefore until last",
        ),
        "it leads to the page before, and the runner reads forwards",
    ),
    (
        Words(
            "fields field select optfields optpretty pretty attributes excludedattributes exclude excludefields view \
             format locale lang language timezone tz apiversion version callback accesstoken apikey key \
             additionalfields additionaldetails metadata stats content showemails level responsetype",
        ),
        "it chooses what an answer shows, and not which records it has",
    ),
];

/// Phrases of a description that tell how a text matches; separated by commas; the first that is found counts.
pub(super) const PHRASES: [(Phrase, &str); 4] = [
    (
        Phrase::Shown,
        "rendered, to render, in the response, translated, localized",
    ),
    (
        Phrase::Language,
        "qualifier, syntax, scim, expression, query language, boolean operator, search operator, \
         operators, jql, query string, advanced search, wildcard",
    ),
    (
        Phrase::Beginning,
        "begins with, starts with, begin with, start with, starting with, prefix",
    ),
    (
        Phrase::Part,
        "partial, substring, contains, part of the, fuzzy, contain the, case-insensitive search, \
         free text, free-text, full text, full-text",
    ),
];

/// How a description says that a text matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phrase {
    /// It is about what an answer shows.
    Shown,
    /// The value is written in a language of its own.
    Language,
    /// The text begins with the value.
    Beginning,
    /// The text contains the value.
    Part,
}
