"""What explains a game that was played: pure functions of its moves."""
