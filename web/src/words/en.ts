// English
export const en = {
  // everywhere
  title: "Attention, to be touched",
  skip: "To the lesson",
  language: "Language",
  contents: "The parts of the lesson",
  onwards: "Before and after",
  part: "Part {number} of 8",
  back: "Back",
  on: "Next",
  legend: "Scale of weights, from 0, palest, to 1, darkest",
  as_table: "The same as a table",
  lesson: "The lesson",
  your_model: "your model",
  toy_numbers: "toy numbers",
  numbers_of: "Numbers",
  layer: "Layer",
  head: "Head",
  example: "example numbers",
  of_your_model: "your model's numbers",
  reset: "As it was",
  yes: "yes",
  no: "no",
  most: "strongest = {words} ({share})",
  sentence: "The words of the sentence",
  asks: "Who asks",
  word: "Word",
  weight: "Weight",
  score: "Score",
  value: "Value",
  value_length: "Length of the value",
  product: "Product",
  query: "Query",
  key: "Key",
  forbidden: "forbidden",
  word_1: "cat",
  word_2: "watches",
  word_3: "mouse",
  word_4: "on",
  word_5: "rug",

  // 1
  p1: "From the bottleneck to attention",
  p1_lead:
    "An encoder reads a sentence word by word and keeps a state, a list of numbers. A decoder begins with that state and writes the translation word by word. In the plain form the encoder’s *last* state is all that passes between the two: a list of one fixed size, for five words as for fifty. Everything must go through this *bottleneck*.\n\nAttention adds a *direct connection*. At each step the decoder compares its own state with every state of the encoder, turns the results into shares, and takes a mixture of the encoder’s states by those shares.",
  p1_gains:
    "What that is good for: translations get clearly better; the decoder can look back while it writes, as people do, and need not remember everything; the bottleneck is gone; there is a short way back to far states, which helps when gradients would vanish; and the shares show where the decoder looked. That is a soft *alignment* which nobody taught: the network learns it by itself, with no alignment system beside it.",
  p1_figure: "One step of the decoder, by hand",
  p1_how:
    "Choose what passes between encoder and decoder, move the step and the stage, and change any number.",
  p1_way: "What the decoder gets",
  p1_last: "the last state only",
  p1_attention: "attention",
  p1_step: "Step of the decoder",
  p1_stage: "How far to compute",
  p1_states: "states",
  p1_scores: "scores",
  p1_shares: "distribution",
  p1_context: "context",
  p1_joined: "concatenation",
  p1_feeding: "input feeding: a quarter of the last context is added to the state",
  p1_state: "Decoder’s state s for “{word}”",
  p1_table: "Encoder’s states, scores, distribution and terms of the context",
  p1_word: "Source",
  p1_h: "State h",
  p1_e: "Score s·h",
  p1_alpha: "Share α",
  p1_term: "α·h",
  p1_only_last:
    "The decoder gets `{last}`, the last state, once. It is all that it will know of the sentence, however long that was.",
  p1_status_last: "the last state is all that passes",
  p1_not:
    "The distribution is not yet the output of attention. The output is the *weighted sum* of the encoder’s states, `a = Σ α·h`; it is also called the *context vector*. And the shares are not the probability that the next word is right.",
  p1_shapes:
    "With encoder states `h₁ … h_N ∈ ℝʰ` and the decoder’s state `s_t ∈ ℝʰ`: scores `e = [s·h₁, …, s·h_N] ∈ ℝᴺ`, distribution `α = softmax(e) ∈ ℝᴺ`, attention output `a = Σ αᵢ·hᵢ ∈ ℝʰ`, and then `[a; s] ∈ ℝ²ʰ`, from which the word is predicted as it would be without attention. *Sometimes* the output of attention is also fed into the next step together with its ordinary input; that is *input feeding*. In this toy it simply adds a quarter; a real decoder learns what to do with it.",
  p1_variants:
    "Scores can be made in other ways: `sᵀh` (dot product, both of one size), `sᵀWh` (multiplicative), `(Us)ᵀ(Vh)` (of reduced rank, which is what Transformers do), `vᵀ tanh(W₁h + W₂s)` (additive: a small feed-forward network). The frame stays the same: a query, values, shares, a weighted sum.",

  // 2
  p2: "Scaled dot-product attention by hand",
  p2_lead:
    "Several places of a sentence have something to say, and some of it is more useful than the rest. Attention finds the share of each, and then makes one result of them. Each description is a vector, a list of numbers: the *query* is what a place is looking for, the *key* is what it is compared with, the *value* is what can be handed over.",
  p2_figure: "Shares, and what they mix",
  p2_how: "Move the shares, or change a value.",
  p2_share: "Shares of value 1 and value 2",
  p2_table: "Shares and values",
  p2_number: "a number",
  p2_list: "a list",
  p2_number_of: "Number of value {place}",
  p2_list_of: "List of value {place}",
  p2_not:
    "The shares say how information is mixed. They are *not* the probability that an answer is right.",
  p2_formula:
    "Where do shares come from? Query and key are multiplied number by number and the products added: the *dot product*. It is divided by the square root of the lists’ length `d_k`, and the softmax turns what comes out into shares that are never negative and sum to one:\n\n`Attention(Q, K, V) = softmax(QKᵀ / √d_k) V`\n\nThis is without masking and without dropout. Vectors are the *rows* of the matrices, and the softmax works on each query by itself, over the keys that it may see.",
  p2_match: "From query and keys to the shares",
  p2_match_how: "Change the query or a key. As they stand, they lead to about 25 % and 75 %.",
  p2_match_table: "Dot products, divided, and their shares",
  p2_key: "Its numbers",
  p2_key_of: "Key {place}",
  p2_key_n: "key {place}",
  p2_root:
    "Why the square root? Suppose the numbers of query and key are independent, with mean 0 and variance 1. Each product then has variance 1, the sum of `d_k` of them has variance `d_k`, and they spread by `√d_k`: from 16 to 64 numbers the spread goes from 4 to 8. Softmax then gives nearly everything to one key, and its shares hardly move any more when the scores do.",
  p2_root_figure: "The square root of `d_k`",
  p2_root_how: "Move `d_k`. Both pictures are on one scale from side to side.",
  p2_d_k: "Numbers in a query and a key",
  p2_raw: "not divided",
  p2_divided: "divided by {root}",
  p2_histogram: "How products are spread, {title}: they spread by {spread}",
  p2_spread_table: "How far {pairs} products of random queries and keys spread",
  p2_spread: "Standard deviation",
  p2_expected: "expected",
  p2_drawn: "of these products",
  p2_stuck: "Five keys and their shares",
  p2_stuck_table: "The same five keys, not divided and divided",
  p2_root_status:
    "d_k = {size} | √d_k = {root} | largest share {raw}, divided {scaled} | p(1 − p) = {stuck}, divided {free} | example numbers",
  p2_root_not:
    "`d_k = 64` ([[§3.2.2]]) means: divide by 8, which is to multiply by 1/8, not to divide by 1/8. And 64 is how many numbers a key has, not how many words there are.\n\nThe spread is arithmetic on an assumption, not a measurement; not all vectors are like that. Large numbers alone do not disturb a softmax: `[100, 100, 100]` gives three equal shares just as `[0, 0, 0]` does. What piles up the shares is a *lead* over the others. Dividing makes that rarer; it does not say that every gradient of the model would else be zero.",
  p2_other:
    "Dot products without the division were known before. The other common kind is additive attention, a feed-forward network with one hidden layer. In theory both cost about as much; in practice dot products are faster and take less room, since they are matrix products. For small `d_k` the two do equally well; for large `d_k` additive attention does better than dot products that are *not* divided ([[§3.2.1]]).\n\nThe operation does not say where its data come from. In self-attention, queries, keys and values all come from one sequence; between two sequences they come from different ones. Multi-head attention does such computations several times, on projections that are learned.",

  // 3
  p3: "One word at a time, or all at once",
  p3_lead:
    "A signal is to get from the first word to the last. On the left, a recurrent layer passes a state from word to word. On the right, self-attention lets every position look at every position, in one step of one layer.",
  p3_figure: "The same sentence, two ways",
  p3_how: "Move the recurrent step, or focus the slider and press the arrow keys. Only the left side moves.",
  p3_left: "Reads word by word and passes the state along the chain",
  p3_right: "Every position looks at every position in one step",
  p3_step: "Recurrent step",
  p3_of: "{number} of {all}",
  p3_measures: "Measures of the two ways",
  p3_measure: "Measure",
  p3_one: "Word by word",
  p3_all: "All words at once",
  p3_steps: "Sequential steps",
  p3_seen: "Words seen",
  p3_reach: "Reached “{word}”",
  p3_reached: "reached",
  p3_not_yet: "not yet",
  p3_path: "Longest path in the layer",
  p3_gaps:
    "In the picture the left side has walked {walked} gaps of {gaps} between {words} words; gaps of this picture are counted, not a number that [[Table 1]] reports.",
  p3_status:
    'recurrent step = {step}/{words} | seen = {step}/{words} | reached "{word}" = {reached} | self-attention step = 1 | seen = {words}/{words} | reached "{word}" = yes | path = O(n) vs O(1) | n = {words} | d_model = 512 | n < d | Table 1',
  p3_word_seen: "(seen)",
  p3_word_unseen: "(not seen yet)",
  p3_not:
    "This is the length of a path that information takes. It is not seconds on a machine and not BLEU. [[Table 1]] reports no “4” but `O(n)` and `O(1)`, and `O` hides constants.\n\n“At once” holds inside one layer, for text that is already there. Layers still wait for each other, and a translation is still written token by token.",
  p3_recurrent:
    "In a recurrent network the state at `t` is a function of the state before and of the input at `t`. Think of one bag that is packed anew at every step. The picture is right in one thing only: news of a word must pass through every step on its way. (An LSTM has a forget gate; a GRU has an update gate and a reset gate; a plain RNN needs neither.) What the paper calls the limit is not forgetting. It is that the steps within one example cannot be done side by side, since `t` waits for `t − 1`; that hurts with long sequences, because memory limits how many examples fit side by side. Tricks of factorization and conditional computation help; the waiting remains.",
  p3_yours: "Your own sentence",
  p3_yours_how: "Type or paste a sentence; its words are counted as its language has them.",
  p3_sentence: "A sentence",
  p3_typed: "The cat that the dog chased yesterday sleeps on the rug",
  p3_yours_table: "Measures of your sentence",
  p3_longest_gap: "Gaps from the first word to the last",
  p3_pairs: "Pairs that are compared",
  p3_yours_status: "n = {n} | recurrent: {gaps} gaps | self-attention: 1 | pairs = {pairs}",
  t1_figure: "Table 1, with numbers",
  t1_how: "Move n and d, and see which expression is smaller; they cross where n = d.",
  t1_n: "Length of the sequence",
  t1_d: "Width of the vectors",
  t1_k: "Width of the convolution",
  t1_r: "Neighbourhood of the restricted attention",
  t1_chart: "Work of a layer against length, for d = {d}: the lines of n²·d and n·d² cross at n = d",
  t1_caption: "The four kinds of layers of Table 1, and their expressions at these sizes",
  t1_layer: "Layer",
  t1_work: "Work per layer",
  t1_work_here: "here",
  t1_steps: "Sequential operations",
  t1_path: "Longest path",
  t1_self: "Self-attention",
  t1_recurrent: "Recurrent",
  t1_convolution: "Convolutional",
  t1_restricted: "Self-attention (restricted)",
  t1_status:
    "n = {n} | d = {d} | n {sign} d | n²·d = {self} | n·d² = {recurrent} | one is {times} times the other | constants are not counted",
  p3_n_d:
    "Self-attention’s work grows with the square of the length: `n²·d < n·d²` only while `n < d`. With `n = 5` and `d_model = 512` ([[§3.1]]) that is 12 800 against 1 310 720. It is work per layer, not time. That `n` is smaller than `d` is frequent for sentences cut into pieces; it is no law.",
  p3_convolution:
    "Convolutions compute all positions side by side as well, but the number of operations that relate two positions grows with their distance: linearly in ConvS2S, logarithmically in ByteNet. One convolution with `k < n` does not connect all pairs; it takes `O(n/k)` layers with contiguous kernels, `O(log_k n)` with dilated ones, and a convolution costs about `k` times as much as recurrence. A separable one costs `O(k·n·d + n·d²)`; even with `k = n` that is what self-attention and a feed-forward layer take together.\n\nThe Transformer needs a constant number, at a price: averaging blurs what it brings together, which several heads are meant to counteract. Attention that is restricted to a neighbourhood `r` gives paths of `O(n/r)`; the authors planned to study it, and the paper has no result. To make generation less sequential is named as a goal.",

  // 4
  p4: "Who asks, and gathers for whom",
  p4_lead:
    "Self-attention relates the positions of one sequence to each other, to make a new description of each. Every position asks, and every position answers, itself included.",
  p4_room_title: "A meeting room",
  p4_room:
    "Everybody holds a *question slip*, wears a *label* and has a *note*: query, key and value. Each compares the slip with the labels of *all* who are there, the own one too. How well they match is a score; scores become weights; and each takes home a mixture of all notes, by those weights. Nobody is picked as the one winner.",
  p4_breaks_title: "Where the picture breaks",
  p4_breaks:
    "The people are positions, and *a token need not be a word*. Slips, labels and notes are vectors, made from the same description by three different matrices; there is no question in words, and a dot product is no opinion. Nobody takes turns: within a layer all is computed side by side. Listening is a weighted sum; nobody is shut out. If one position is to stand out, its weight must become sharp by learning; nothing in the formula forces it.",
  p4_figure: "Who asks, and from where is gathered",
  p4_how: "Click a word, or press Tab and then Enter. Arrow keys move between words.",
  p4_label: "Attention diagram between words; example numbers of the word {word}: {row}",
  p4_label_model: "Attention diagram between pieces; your model’s numbers of {word}: {row}",
  p4_scale:
    "All lines are on one scale: half the weight, half the thickness. The *black* line (white on a dark page) is the weight that a word gives itself. Where the words stand is for reading only; no position has been encoded.",
  p4_ours: "This row is ours: the text that this figure follows gives the rows of the first two words in full, and of the others at most which word is strongest.",
  p4_table: "Who asks (rows), and the shares of the words (columns); example numbers",
  p4_table_model: "Who asks (rows), and the shares of the pieces (columns); your model’s numbers",
  p4_tour:
    "Try *watches*: whom does it look at? Then *on*, whose row gives *rug* the most, and *rug*, which looks at itself the most. *Mouse* has a tie, and the line below then names both. What changes is who asks; all five positions stay.",
  p4_not:
    "These weights come from no paper and no model. 55 % was set to make the question easy to draw; it is no rule of grammar that models follow. To say what a real model does, one has to look at that model’s attention.\n\nSelf-attention means that queries, keys and values come from the same sequence. It does *not* mean that a word looks at itself the most.",
  p4_history:
    "Self-attention, also called intra-attention, was not new: it had served in reading comprehension, summarization, textual entailment and sentence representations, mostly together with recurrent networks. What the authors claim, as far as they know, is the first model from sequence to sequence whose representations come from self-attention *alone*, without recurrence along the sequence and without convolution. “Attention is all you need” is true of what mixes positions; the layers still have feed-forward networks, residual connections and normalisation.",
  p4_appendix:
    "The paper’s own pictures ([[appendix]]) show layer 5 of 6 of the encoder: heads that follow the distant complement of *making … more difficult*, and heads that seem to take part in resolving *its*, very sharply. The authors write “seem” and “appear”. Looking at pictures is no table of accuracies.",

  // 5
  p5: "The same scores, divided anew",
  p5_lead:
    "A row of weights is a budget of 100 %: one row’s sum, not time and not computing. How sharply it is divided depends on how far the scores lie apart, and on what they are divided by before the softmax. Here the scores are the *logarithms* of the row of part 4, so that at `T = 1` the bars are that row.",
  p5_figure: "Temperature and mask",
  p5_how: "Choose a word, then move T. The bars here and the sum below belong to the same word.",
  p5_slider: "Temperature T",
  p5_encoder: "Encoder: no mask, all positions are in the softmax",
  p5_decoder: "Decoder: scores of the future are set to minus infinity before the softmax",
  p5_rounded: "percentages on the bars are rounded to integers",
  p5_mask_not:
    "The mask comes *before* the softmax; it does not hide lines afterwards. A decoder’s position may look at itself and at what came before, not at what comes later. *Forbidden* is not the same as *small*: without a mask no share ever becomes nothing, though it may be rounded to 0 %. In training all positions are computed side by side with the mask respected; a translation is still written token by token.",
  p5_temperature:
    "A lower `T` makes the largest share stand out, a higher one makes all alike. To divide by `√d_k` is a softmax at temperature `√d_k`: 8 for `d_k = 64` ([[§3.2.2]]). The paper ties it to the keys’ size and has no knob. The slider divides *once more*: it changes no `d_k`, and it is not the temperature with which text is sampled.",
  p5_sum: "Times value, and added: it does not stop at percentages",
  p5_sum_how: "The word and T are those above. Weights are shown with 2 decimals, products with 1, the sum with 2; all is computed in full.",
  p5_value_of: "Value of {word}",
  p5_terms: "Weights, values and their products",
  p5_total: "total {total} | computed with full values, then rounded for display",
  p5_no_percentage: "not a percentage",
  p5_no_values: "This trace brings no values along; it is too large for them.",
  p5_total_model:
    'length of the sum = {sum} | sum of the terms’ lengths = {apart} | query = "{word}" | your model’s numbers | not a percentage',
  p5_lengths:
    "Values of a model have many numbers, so that their *lengths* stand here. A large weight on a short value adds little. Terms may point in different directions, and their sum is then shorter than the lengths added up.",
  p5_not:
    "The sum is no percentage, and it chooses no word. A real value has many numbers; the same is done for each. If another word asks or `T` changes, the sum changes. 30.2 and 31.6 are toy numbers.",

  // 6
  p6: "Heads, positions, the whole model",
  p6_lead:
    "One head makes one mixture. Several heads, each with matrices of its own, make several, of narrower vectors: 8 heads of `d_k = d_v = d_model / h = 64` numbers cost about as much as one of full width ([[§3.2.2]]). Their results are put side by side and multiplied by a matrix that is learned too: `MultiHead = Concat(head₁ … head_h) W^O`.",
  p6_heads: "Heads side by side",
  p6_heads_how: "Choose the word that asks. Each square has a row for who asks and a column for what is looked at; the framed row is the word’s.",
  p6_head: "Head {number}",
  p6_matrix: "Weights of {name}, {rows} rows by {columns} columns; the table below has the numbers",
  p6_average: "Their average would be another thing, and is not taken:",
  p6_join: "W^O of the toy",
  p6_heads_not:
    "Heads are *concatenated and joined by* `W^O`: not averaged, not put to a vote, none chosen. No head is given a task; whatever it does was learned. Several heads can bring together information from different subspaces at different positions, where one head would average it away. The paper gives no accuracy of any head for grammar; that heads “clearly” learn different tasks is a remark on pictures. A single head was 0.9 BLEU worse than the best setting, and too many heads were worse too: on the *development* set ([[Table 3]], rows A).",
  p6_positions:
    "Without a mask and without positions, shuffled words give the same outputs, shuffled alike: attention knows no order. The paper adds to each embedding, once, at the bottom of encoder and decoder, a vector of sines and cosines ([[§3.5]]):\n\n`PE(pos, 2i) = sin(pos / 10000^(2i/d_model)),  PE(pos, 2i+1) = cos(the same)`\n\nWavelengths go from `2π` to `10000·2π`. One step further turns each pair of numbers by an angle of its own, whatever the position: `PE(pos + k)` is a *rotation* of `PE(pos)`, and thus linear in it.",
  p6_sinusoids: "Sinusoids, and one pair of them turning",
  p6_sinusoids_how: "Move the position, the distance k and the pair i. The picture is 32 numbers wide.",
  p6_position: "Position",
  p6_k: "Distance",
  p6_i: "Pair of numbers",
  p6_waves: "Positional encoding of {places} positions (downwards), {width} numbers each (to the right)",
  p6_waves_under: "Positions downwards, numbers to the right; −1 is dark blue, 1 is orange. The frames mark both positions and the pair.",
  p6_circle: "One pair of numbers as a point on a circle, and where it is {k} positions further",
  p6_pairs_table: "All pairs at position {position}, {k} further, and the first of them turned",
  p6_turned: "PE(pos), turned",
  p6_turn_status: "turned by {angle} rad: {found}",
  p6_positions_not:
    "That a model makes use of this is a *hypothesis*. Learned positions did nearly as well ([[Table 3]], row E: 25.7 against 25.8 BLEU, development set); sinusoids were chosen because they *may* reach beyond the lengths seen in training. No cell of a table shows that. And not all models add positions.",
  p6_uses_title: "Three uses of attention",
  p6_use_cross:
    "*Between encoder and decoder.* Queries come from the decoder’s layer below, keys and values from the encoder’s output: every position of the target sees the whole source.",
  p6_use_encoder:
    "*In the encoder.* All three come from the layer below; every position sees all positions.",
  p6_use_decoder:
    "*In the decoder.* Each position sees those up to *and including* itself; what is not allowed is set to −∞ before the softmax. The target is shifted by one, so that a prediction depends on earlier words only.",
  p6_rest_title: "The rest of the model",
  p6_rest:
    "After attention, a *feed-forward network* of two linear maps with a ReLU between them works on each position by itself, with the same numbers at all positions and others in each layer. Around each of the two, a *residual* way and a *normalisation*: `LayerNorm(x + Sublayer(x))`; for that, all have outputs of one width.\n\nThree things keep it from learning by heart, as the paper counts them ([[§5.4]]): dropout on the output of each sub-layer, before it is added; dropout on the sums of embeddings and positions; and label smoothing of 0.1, which makes perplexity worse and BLEU better.",
  p6_map: "Figure 1 of the paper, as a map",
  p6_map_how: "Choose a part to see what it does and what shapes go through it.",
  p6_size: "Size",
  p6_size_source: "([[Table 3]])",
  p6_whole_not:
    "“Attention is all” is true of what mixes positions. It is not true that one equation is the whole model.",
  map_encoder: "Encoder",
  map_decoder: "Decoder",
  map_embedding: "Embedding",
  map_embedding_text:
    "Each piece of the text becomes a vector. Source, target and the output layer share one matrix; embeddings are multiplied by `√d_model`.",
  map_target_text: "The target’s embeddings, shifted right by one: at position i only what was written before i is known.",
  map_position: "Positions",
  map_position_text: "Sinusoids are added, once, so that order can be seen.",
  map_self: "Self-attention",
  map_self_text: "Every position asks every position of the source, itself included.",
  map_masked: "Masked self-attention",
  map_masked_text: "The same for the target, where nobody may look ahead.",
  map_cross: "Attention to the encoder",
  map_cross_text: "The target’s n positions ask the source’s m positions: the direct connection of part 1.",
  map_norm: "Add & norm",
  map_norm_text: "What went in is added to what came out, and the sum is normalised.",
  map_feed: "Feed-forward",
  map_feed_text: "Two linear maps and a ReLU, at each position by itself.",
  map_output: "Linear, softmax",
  map_output_text: "A score for each piece of the vocabulary, and from it the distribution of the next piece.",
  map_to: "To part {part}",
  map_table: "Parts of the model and their shapes, {size}; n and m are lengths",
  map_stop: "Part",
  map_shape: "Shapes",

  // 7
  p7: "The paper’s numbers",
  p7_lead:
    "These numbers are the paper’s (Vaswani et al. 2017, version 7 on arXiv). None of them is a toy number, and none of the toy numbers stands here. Each table is about one data set: it matters which.",
  p7_table2: "Table 2: translation, test set",
  p7_table2_caption: "BLEU on newstest2014, and the cost of training in FLOPs",
  p7_cost: "Cost of training (FLOPs)",
  p7_table2_text:
    "Cost is time × number of GPUs × an estimate of what each sustains (2.8, 3.7, 6.0 and 9.5 TFLOPS for K80, K40, M40 and P100), not a count of operations. The cells of the two Transformers *span both languages*: the paper has no figure for each. The big model beats the best reported before, ensembles included, by more than 2.0 BLEU from English to German; the base model beats all that had been published too, at a fraction of the cost.",
  p7_41:
    "English to French: *41.8* stands in the abstract and in Table 2 of version 7, *41.0* in section 6.1 of the same file, in version 1 and in the NeurIPS proceedings. 28.4 is the same everywhere.",
  p7_table3: "Table 3: architectures, development set",
  p7_table3_caption: "Variations, English to German, newstest2013; an empty cell is as in the base model",
  row: "Row",
  p7_steps: "steps",
  p7_ppl: "perplexity (dev)",
  p7_params: "parameters, millions",
  p7_learned: "E: learned positions",
  p7_table3_text:
    "Rows A change the number of heads at the same cost, B the keys’ size, C the size of the model, D dropout and label smoothing, E the positions. What the authors conclude: smaller keys hurt, so that matching is not easy; larger is better; dropout helps much; learned positions are nearly the same.",
  p7_table3_not:
    "This is the *development* set newstest2013, without averaged checkpoints, and perplexity is per piece. So 26.4 of the big model here is not the 28.4 of Table 2, and 0.9 BLEU between one head and the best belong here, not there.",
  p7_table4: "Table 4: parsing",
  p7_table4_caption: "F1 on section 23 of the Wall Street Journal",
  p7_parser: "Parser",
  p7_trained: "Training",
  p7_wsj: "WSJ only, discriminative",
  p7_semi: "semi-supervised",
  p7_multi: "multi-task",
  p7_generative: "generative",
  p7_table4_text:
    "Rows can be compared where the training is the same. WSJ only: 91.3, above three and below Dyer et al. (91.7). Semi-supervised: 92.7, above all four. It does better than the BerkeleyParser even with WSJ alone, and than all but the Recurrent Neural Network Grammar. *Multi-task* and *generative* are other settings. The model has 4 layers of `d_model = 1024`; few things were tuned, on section 22. That it “generalizes well” rests on two pairs of languages and this task.",
  p7_training: "How it was trained",
  p7_training_text:
    "English to German: about 4.5 million pairs, about 37 000 shared byte-pair pieces. English to French: 36 million sentences, 32 000 word pieces. A batch has about 25 000 pieces on each side. One machine with 8 P100 GPUs; base: 0.4 s a step, 100 000 steps, 12 hours; big: 1.0 s, 300 000 steps, 3.5 days. “Twelve hours” is the base model’s.\n\nAdam with `β₁ = 0.9, β₂ = 0.98, ε = 10⁻⁹`; the rate grows for 4 000 steps, then falls with the inverse square root of the step. Beam 4, length penalty 0.6, chosen on the development set; at most the input’s length + 50. Base: the last 5 checkpoints averaged; big: the last 20. The big model for French used dropout 0.1 instead of 0.3.",
  p7_sources: "Sources",
  p7_sources_caption: "Where the numbers come from; a link asks the network only if you follow it",
  p7_what: "What",
  p7_where: "Where",
  p7_source_arxiv: "All numbers of the paper on these pages",
  p7_source_neurips: "The proceedings’ PDF, which is another file (41.0)",
  p7_source_code: "The authors’ code; no result here is taken from it",
  p7_source_bahdanau: "Attention in a recurrent translator, additive scores",
  p7_source_luong: "Dot-product and general scores, input feeding",
  p7_source_cs224n: "The course that part 1 follows: attention in sequence to sequence",
  p7_source_d2l: "A derivation of the scores and of their scaling, section 11.3.3",
  p7_people:
    "Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser and Illia Polosukhin contributed equally, in random order. Jakob proposed to replace recurrence by self-attention; Noam proposed scaled dot-product attention, multi-head attention and the positions without parameters.",

  // 8
  p8: "Questions",
  p8_lead: "Answer first, then look.",
  p8_answer: "The answer",
  q_temperature: "In part 5, *cat* asks. What happens to the bar of *mouse* when `T` rises?",
  a_temperature:
    "It falls towards 20 %, a fifth, and is not there yet at `T = 3` (25.9 %). Every row tends to equal shares. Who says that it rises reads `T` backwards. And it is no knob that the paper has.",
  q_recurrent: "In part 3 the recurrent step goes from 1 to 5. How many words has self-attention seen?",
  a_recurrent: "Five of five, at every step. Only the left side moves; the right side was ready in one.",
  q_root: "Why does the formula have `√d_k`, if there is a slider for the temperature?",
  a_root:
    "`√d_k` is a fixed temperature, set by the keys’ size: 8 for `d_k = 64` ([[§3.2.2]]), on the dot products. The slider divides `log(w)` once more, for the eye. The two do not contradict each other.",
  q_mask: "*Watches* asks in the decoder. Why do its two shares become 56 % and 44 %?",
  a_mask:
    "Only *cat* and *watches* are allowed. The others are set to −∞ before the softmax, and 10 % and 8 % are divided anew: 10/18 and 8/18. To strike out lines afterwards would have left a sum of 18 %.",
  q_weights: "*Cat* gives *mouse* 40 %. Is “mouse” right with probability 0.4?",
  a_weights:
    "No. The weight says how much of the value of *mouse* goes into the mixture for *cat*. It is neither the probability of an answer nor the layer’s output.",
  q_table3: "[[Table 3]] says 26.4 BLEU for the big model, [[Table 2]] 28.4. Which is right?",
  a_table3:
    "Both: 26.4 is on the development set newstest2013, without averaging; 28.4 on the test set newstest2014.",
  p8_guess: "Guess, then see",
  p8_guess_how: "Choose the word that you think gets the largest weight.",
  p8_guess_question: "*{word}* asks. At which word does it look the most?",
  p8_guess_label: "Your guess",
  p8_guess_first: "The row is shown after your guess.",
  p8_guess_row: "The row of {word}",
  p8_right: "“{guess}”: yes",
  p8_wrong: "“{guess}”: no",
  p8_next: "Another word asks",
} as const;
