//! Ships parcels between depots.
use std::collections::{HashMap, BTreeMap as Tree};
use crate::rates::{self, Rate};
use super::money::*;

mod depot;

/// How much fits.
pub const LIMIT: usize = 40;
static mut COUNT: u32 = 0;

/// A place on a route.
#[derive(Debug, Clone)]
pub struct Stop {
    /// Its name.
    pub name: String,
    weight: f64,
}

pub struct Pair(pub i32, String);
pub struct Marker;

#[derive(PartialEq)]
pub enum Color {
    Red,
    Blue { depth: u8 },
    Custom(u8, u8),
}

pub union Bits {
    int: u32,
    float: f32,
}

pub trait Rated: Clone {
    const BASE: u32;
    type Output;
    fn rate(&self, factor: f64) -> f64;
    fn label(&self) -> String {
        String::from("rated")
    }
}

pub type Stops = Vec<Stop>;

impl Stop {
    pub fn new(name: &str) -> Self {
        Stop { name: name.to_string(), weight: 0.0 }
    }

    fn heavier(&self, other: &Stop) -> bool {
        let mine = self.weight;
        mine > other.weight
    }
}

impl Rated for Stop {
    const BASE: u32 = 1;
    type Output = f64;
    fn rate(&self, factor: f64) -> f64 {
        self.weight * factor
    }
}

pub struct Route<'a, T: Rated> {
    stops: Vec<&'a T>,
}

impl<'a, T: Rated> Route<'a, T> {
    pub fn total(&self) -> f64 {
        self.stops.iter().map(|stop| stop.rate(2.0)).sum()
    }
}

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

pub fn plan(items: &[Stop], limit: Option<usize>) -> Result<HashMap<String, f64>, String> {
    let mut found = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        if let Some(max) = limit {
            if index > max { break; }
        }
        let rate = item.rate(1.0);
        let rate = rate + square!(2.0);
        found.insert(item.name.clone(), rate);
    }
    match items.first() {
        Some(Stop { name, .. }) => println!("{}", name),
        None => return Err("none".into()),
    }
    fn inner() {}
    inner();
    Ok(found)
}

async fn main_loop() {
    let stop = Stop::new("a");
    stop.heavier(&stop);
    let _ = rates::charge(Rate::default()).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans() {
        assert!(plan(&[], None).is_err());
    }
}
