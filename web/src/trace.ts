// JSON of src/regard/trace/pack.py -> a trace whose numbers are decoded when they are asked for.

export type Kind = "encoder" | "decoder" | "cross";
export type Fate = "goes on" | "ended" | "rejected";

/** What stands along an axis. */
export interface Side {
  pieces: string[];
  words: string[];
  word_of: number[];
  special: boolean[];
}

/** What one head does, on average over its queries. */
export interface Measures {
  entropy: number;
  sharpness: number;
  distance: number;
  own: number | null;
  previous: number | null;
  next: number | null;
  signs: number;
  label: "own" | "previous" | "next" | "signs" | "sharp" | "spread";
}

/** What a step of the search weighed. */
export interface Candidate {
  parent: number;
  piece: string;
  text: string;
  log_prob: number;
  fate: Fate;
}

export interface About {
  model: string;
  family: string;
  checkpoint: string;
  command: string;
  date: string;
}

interface Packed {
  kind: Kind;
  layer: number;
  shape: [heads: number, queries: number, keys: number];
  bits: 8 | 16;
  scale: number;
  codes: string;
  offset: string | null;
  norms: string | null;
  mixed: string | null;
  values: string | null;
  measures: Measures[];
}

export interface TraceData {
  format: 1;
  error: number;
  view: string;
  text: string;
  translation: string;
  forced: boolean;
  log_prob: number | null;
  about: About;
  source: Side;
  target_in: Side;
  target_out: Side;
  attentions: Packed[];
  steps: Candidate[][];
}

/** What the page's data block holds. */
export interface PageData {
  /** What a server can be asked; null where there is none. */
  live: { checkpoints: string[] } | null;
  traces: TraceData[];
}

/** Base64 -> bytes; a loop, since there are millions of them. */
export function bytes(text: string): ArrayBuffer {
  const binary = atob(text);
  const found = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) found[i] = binary.charCodeAt(i);
  return found.buffer;
}

const floats = (text: string | null): Float32Array | null =>
  text === null ? null : new Float32Array(bytes(text));

function halves(text: string | null): Float32Array | null {
  if (text === null) return null;
  const codes = new Uint16Array(bytes(text));
  return Float32Array.from(codes, (code) => {
    const sign = code >> 15 ? -1 : 1;
    const exponent = (code >> 10) & 31;
    const fraction = code & 1023;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
}

/** One attention: its heads, queries and keys; numbers are decoded on first use and kept. */
export class Attended {
  readonly kind: Kind;
  readonly layer: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
  readonly measures: Measures[];
  private decoded: { logs: Float32Array; allowed: Uint8Array; offset: Float32Array | null } | null = null;
  private mixing: { norms: Float32Array; mixed: Float32Array; values: Float32Array | null } | null = null;

  constructor(private readonly packed: Packed) {
    this.kind = packed.kind;
    this.layer = packed.layer;
    [this.heads, this.queries, this.keys] = packed.shape;
    this.measures = packed.measures;
  }

  private get numbers() {
    if (this.decoded) return this.decoded;
    const raw = bytes(this.packed.codes);
    const codes = this.packed.bits === 16 ? new Uint16Array(raw) : new Uint8Array(raw);
    const forbidden = 2 ** this.packed.bits - 1;
    const logs = new Float32Array(codes.length);
    const allowed = new Uint8Array(codes.length);
    for (let i = 0; i < codes.length; i++) {
      const depth = codes[i]! * this.packed.scale;
      allowed[i] = codes[i] === forbidden ? 0 : 1;
      logs[i] = -depth * depth;
    }
    this.decoded = { logs, allowed, offset: floats(this.packed.offset) };
    return this.decoded;
  }

  /** Whether the weights come with the scores they were made from. */
  get hasScores(): boolean {
    return this.packed.offset !== null;
  }

  allowed(query: number, key: number): boolean {
    return this.numbers.allowed[query * this.keys + key] === 1;
  }

  /** 1 where a query may look, row after row. */
  get table(): Uint8Array {
    return this.numbers.allowed.subarray(0, this.queries * this.keys);
  }

  /** Weights of one query: the head's own scores, divided by the temperature, divided anew. */
  row(head: number, query: number, temperature = 1): Float32Array {
    const { logs, allowed } = this.numbers;
    const start = (head * this.queries + query) * this.keys;
    const found = new Float32Array(this.keys);
    let largest = -Infinity;
    for (let key = 0; key < this.keys; key++)
      if (allowed[start + key]) largest = Math.max(largest, logs[start + key]!);
    let sum = 0;
    for (let key = 0; key < this.keys; key++) {
      if (!allowed[start + key]) continue;
      found[key] = Math.exp((logs[start + key]! - largest) / temperature);
      sum += found[key]!;
    }
    if (sum > 0) for (let key = 0; key < this.keys; key++) found[key]! /= sum;
    return found;
  }

  /** All weights of a head, row by row. */
  matrix(head: number, temperature = 1): Float32Array {
    const found = new Float32Array(this.queries * this.keys);
    for (let query = 0; query < this.queries; query++)
      found.set(this.row(head, query, temperature), query * this.keys);
    return found;
  }

  /** Scores of one query before the softmax; where it may not look there is none (NaN). */
  scores(head: number, query: number): Float32Array | null {
    const { logs, allowed, offset } = this.numbers;
    if (!offset) return null;
    const row = head * this.queries + query;
    return Float32Array.from({ length: this.keys }, (_, key) =>
      allowed[row * this.keys + key] ? logs[row * this.keys + key]! + offset[row]! : NaN,
    );
  }

  /** How long each value is, how long their mixture is for each query, and the values if small. */
  get mixture(): { norms: Float32Array; mixed: Float32Array; values: Float32Array | null } | null {
    if (this.packed.norms === null || this.packed.mixed === null) return null;
    this.mixing ??= {
      norms: floats(this.packed.norms)!,
      mixed: floats(this.packed.mixed)!,
      values: halves(this.packed.values),
    };
    return this.mixing;
  }
}

/** A trace, ready to be looked at. */
export interface Trace extends Omit<TraceData, "attentions"> {
  attentions: Attended[];
}

export function open(data: TraceData): Trace {
  return { ...data, attentions: data.attentions.map((packed) => new Attended(packed)) };
}

/** What stands along the queries and along the keys. */
export function sides(trace: Trace, kind: Kind): [queries: Side, keys: Side] {
  if (kind === "encoder") return [trace.source, trace.source];
  if (kind === "decoder") return [trace.target_in, trace.target_in];
  return [trace.target_out, trace.source];
}
