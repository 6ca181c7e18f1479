"""What whoever looks after the site learns of it: a log, figures, reports of errors. None of it tells of persons."""
