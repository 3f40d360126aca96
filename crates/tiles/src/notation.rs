//! Reading and writing boards and answers.
