"""From columns and a plan to what the solvers take: blocks, strata, missing values, cells."""
