//! The games griot knows: rules, notation and evaluation of each. Floor 2: no game knows another.

pub mod awale;
pub mod mnk;
pub mod nim;
