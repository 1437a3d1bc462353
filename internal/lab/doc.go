// Package lab shows by experiment why a correct lock is not enough: what a lease
// costs, what a late write does, and where a fencing token has to be checked.
//
//  1. All lists the experiments, Find gives one by its name.
//  2. Experiment.Run carries one out under a Setting and returns an Outcome: a
//     table, claims that it has checked, for some a plot and a history that other
//     commands take.
//
// Every decision about a lease or a write is made by an engine, a package fsm
// machine unless the Setting says otherwise: an experiment sends it operations with
// instants of its own and counts what was answered and what the store kept. So an
// engine that gets a rule wrong makes claims fail.
//
// Chance comes from package twister and a seed. With its reference seed an
// experiment gives figures that are known to the last digit; with any other seed
// the figures have to lie in ranges that follow from the distributions alone.
package lab
