"""regard: learns to turn one sequence into another with attention, and shows what it did."""
