// numbers that the paper prints (Vaswani et al. 2017, arXiv version 7), and where they stand
import type { Key } from "../parts/words.ts";

/** Table 2: name, BLEU En-De, En-Fr, training FLOPs of each. */
export const TRANSLATORS = [
  ["ByteNet", "23.75", "", "", ""],
  ["Deep-Att + PosUnk", "", "39.2", "", "1.0e20"],
  ["GNMT + RL", "24.6", "39.92", "2.3e19", "1.4e20"],
  ["ConvS2S", "25.16", "40.46", "9.6e18", "1.5e20"],
  ["MoE", "26.03", "40.56", "2.0e19", "1.2e20"],
  ["Deep-Att + PosUnk Ensemble", "", "40.4", "", "8.0e20"],
  ["GNMT + RL Ensemble", "26.30", "41.16", "1.8e20", "1.1e21"],
  ["ConvS2S Ensemble", "26.36", "41.29", "7.7e19", "1.2e21"],
] as const;

/** The rows whose cost stands once for both languages. */
export const COSTS = [
  ["Transformer (base)", "27.3", "38.1", "3.3e18"],
  ["Transformer (big)", "28.4", "41.8", "2.3e19"],
] as const;

/** Table 3; an empty cell is as in the base model, "E" stands for learned positions. */
export const ARCHITECTURES = [
  ["base", "6", "512", "2048", "8", "64", "64", "0.1", "0.1", "100K", "4.92", "25.8", "65"],
  ["A", "", "", "", "1", "512", "512", "", "", "", "5.29", "24.9", ""],
  ["A", "", "", "", "4", "128", "128", "", "", "", "5.00", "25.5", ""],
  ["A", "", "", "", "16", "32", "32", "", "", "", "4.91", "25.8", ""],
  ["A", "", "", "", "32", "16", "16", "", "", "", "5.01", "25.4", ""],
  ["B", "", "", "", "", "16", "", "", "", "", "5.16", "25.1", "58"],
  ["B", "", "", "", "", "32", "", "", "", "", "5.01", "25.4", "60"],
  ["C", "2", "", "", "", "", "", "", "", "", "6.11", "23.7", "36"],
  ["C", "4", "", "", "", "", "", "", "", "", "5.19", "25.3", "50"],
  ["C", "8", "", "", "", "", "", "", "", "", "4.88", "25.5", "80"],
  ["C", "", "256", "", "", "32", "32", "", "", "", "5.75", "24.5", "28"],
  ["C", "", "1024", "", "", "128", "128", "", "", "", "4.66", "26.0", "168"],
  ["C", "", "", "1024", "", "", "", "", "", "", "5.12", "25.4", "53"],
  ["C", "", "", "4096", "", "", "", "", "", "", "4.75", "26.2", "90"],
  ["D", "", "", "", "", "", "", "0.0", "", "", "5.77", "24.6", ""],
  ["D", "", "", "", "", "", "", "0.2", "", "", "4.95", "25.5", ""],
  ["D", "", "", "", "", "", "", "", "0.0", "", "4.67", "25.3", ""],
  ["D", "", "", "", "", "", "", "", "0.2", "", "5.47", "25.7", ""],
  ["E", "", "", "", "", "", "", "", "", "", "4.92", "25.7", ""],
  ["big", "6", "1024", "4096", "16", "", "", "0.3", "", "300K", "4.33", "26.4", "213"],
] as const;

/** Table 4: parser, what it learnt from, F1 on section 23. */
export const PARSERS = [
  ["Vinyals & Kaiser et al. (2014)", "p7_wsj", "88.3"],
  ["Petrov et al. (2006)", "p7_wsj", "90.4"],
  ["Zhu et al. (2013)", "p7_wsj", "90.4"],
  ["Dyer et al. (2016)", "p7_wsj", "91.7"],
  ["Transformer (4 layers)", "p7_wsj", "91.3"],
  ["Zhu et al. (2013)", "p7_semi", "91.3"],
  ["Huang & Harper (2009)", "p7_semi", "91.3"],
  ["McClosky et al. (2006)", "p7_semi", "92.1"],
  ["Vinyals & Kaiser et al. (2014)", "p7_semi", "92.1"],
  ["Transformer (4 layers)", "p7_semi", "92.7"],
  ["Luong et al. (2015)", "p7_multi", "93.0"],
  ["Dyer et al. (2016)", "p7_generative", "93.3"],
] as const satisfies readonly (readonly [string, Key, string])[];

export const SOURCES = [
  {
    what: "p7_source_arxiv", name: "arXiv 1706.03762v7, 2 August 2023",
    address: "https://arxiv.org/abs/1706.03762v7",
  },
  {
    what: "p7_source_neurips", name: "NeurIPS 2017 proceedings",
    address: "https://papers.nips.cc/paper/7181-attention-is-all-you-need",
  },
  {
    what: "p7_source_code", name: "tensorflow/tensor2tensor",
    address: "https://github.com/tensorflow/tensor2tensor",
  },
  {
    what: "p7_source_bahdanau", name: "Bahdanau et al. 2015, arXiv 1409.0473",
    address: "https://arxiv.org/abs/1409.0473",
  },
  {
    what: "p7_source_luong", name: "Luong et al. 2015, arXiv 1508.04025",
    address: "https://arxiv.org/abs/1508.04025",
  },
  {
    what: "p7_source_cs224n", name: "Stanford CS224n",
    address: "https://web.stanford.edu/class/cs224n/",
  },
  {
    what: "p7_source_d2l", name: "Dive into Deep Learning",
    address: "https://d2l.ai/chapter_attention-mechanisms-and-transformers/attention-scoring-functions.html",
  },
] as const satisfies readonly { what: Key; name: string; address: string }[];
