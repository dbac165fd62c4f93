// English
export const en = {
  title: "Attention, to be touched",
  skip: "To the lesson",
  language: "Language",
  contents: "The parts of the lesson",
  part: "Part {number}",
  back: "Back",
  on: "On",
  legend: "Scale of weights, from 0, palest, to 1, darkest",
  as_table: "The same as a table",
  lesson: "The lesson",
  inspector: "Your model",
} as const;
