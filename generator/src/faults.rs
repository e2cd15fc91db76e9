//! `faults.rs`: the faults of a request, which the runtime library finds, as errors of the contract.

use proc_macro2::TokenStream;
use quote::quote;

/// The kinds of `FaultCode`. One that is missing here does not compile, nor does one that the contract lacks.
const CODES: [&str; 11] = [
    "UnknownParameter",
    "RepeatedParameter",
    "EmptyValue",
    "ValueTooLong",
    "InvalidValue",
    "InvalidEncoding",
    "InvalidPage",
    "UnknownWord",
    "UnknownMember",
    "MissingMember",
    "InvalidMember",
];

pub(crate) fn tokens() -> TokenStream {
    let codes = CODES.map(crate::emit::type_ident);
    quote! {
        impl From<::rollcall_runtime::FaultCode> for crate::model::ProblemCode {
            fn from(code: ::rollcall_runtime::FaultCode) -> Self {
                match code {
                    #(::rollcall_runtime::FaultCode::#codes => Self::#codes,)*
                }
            }
        }

        impl From<::rollcall_runtime::Fault> for crate::model::ProblemError {
            fn from(fault: ::rollcall_runtime::Fault) -> Self {
                Self {
                    parameter: fault.parameter,
                    pointer: fault.pointer,
                    code: fault.code.into(),
                    detail: fault.detail,
                    allowed: fault.allowed,
                }
            }
        }
    }
}
