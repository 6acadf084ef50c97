/** What the server sends and takes. Made by docs/generators/page_types.py: do not edit. */

/** The accuracy of both sides. */
export interface AccuraciesDocument {
  player1: AccuracyDocument;
  player2: AccuracyDocument;
}

/** How often one side kept the value when it had a choice, and how its battles went. */
export interface AccuracyDocument {
  /** The share of its choices that kept the value; null if it had no choice. */
  share: number | null;
  kept: number;
  choices: number;
  battles: number;
  skill: number;
  luck: number;
}

/** What a move can do besides moving a piece, the gravest first. */
export type Act = "battle" | "blocks" | "lands" | "reaches goal" | "sends home" | "takes" | "takes last" | "threatens" | "traps";

/** The fields of an action; which of them count depends on the action. */
export interface ActionBody {
  turn?: number | null;
  move?: string | null;
  number?: number | null;
  side?: "P1" | "P2" | null;
  yes?: boolean | null;
  to?: number | null;
  name?: string | null;
  reaction?: "good-game" | "good-move" | "hello" | "oops" | "thinking" | "wow" | null;
  claim?: "abort" | "computer" | "win" | null;
}

/** Help for the player whose turn it is. */
export interface AdviceDocument {
  position: string;
  /** Who is helped. */
  side: "P1" | "P2";
  /** Where to look, the reason and the move; fewer in a battle and in games too large to solve. */
  hint: Array<TipDocument>;
  /** The move that the last part of the hint names; null in a battle. */
  move: string | null;
  /** What the coach says before a move; moves of which there is nothing to say are left out. */
  warnings: Record<string, TipDocument>;
  /** The pieces that the other side could strike if it were to move: it takes them, sends them home, lands on them, or opens a battle with them. */
  threatened: Array<string>;
  /** Whether the game is too large to solve: a search looks ahead, and there are no warnings. */
  estimate: boolean;
}

/** A word that a key may hold. */
export interface AllowedWord {
  word: string;
  meaning: string;
}

/** An audit as a document, and as `lineduel audit` prints it. */
export interface AuditAnswer {
  audit: AuditDocument;
  text: Array<string>;
}

/** A rulebook to audit. */
export interface AuditChoice {
  game?: string | null;
  toml?: string | null;
  variant?: string | null;
  all?: boolean;
}

/** Whether a rulebook keeps its promises, and everything that was measured. */
export interface AuditDocument {
  game: string;
  claims: Array<FindingDocument>;
  figures: FiguresDocument;
  /** Every pairing of the ladder. */
  pairs: Array<PairDocument>;
  openings: Array<OpeningDocument>;
  words: Array<UsageDocument>;
  definitions: Record<string, DefinitionDocument>;
}

/** A rulebook to audit: a game, a text, or what a link holds. */
export interface AuditedChoice {
  game?: string | null;
  toml?: string | null;
  variant?: string | null;
  packed?: string | null;
}

/** A game in the list of audits. */
export interface AuditedGame {
  id: string;
  title: string;
  summary: string;
  /** The text for an address, `/audit?rulebook=PACKED`; null for a game of the first page. */
  packed: string | null;
  board: BoardDocument;
  /** How many of its promises are proved. */
  kept: number;
  promised: number;
  figures: DuelFigures;
}

/** A battle opened. */
export interface BattleEvent {
  kind: "battle";
  cell: number;
}

/** How a battle is fought; this table is needed with meet.enemy = "battle", and only then. */
export interface BattleTable {
  numbers: number;
  wins: "cyclic" | "higher" | "undercut";
  /** What happens to the loser's pieces on that cell. If missing: sent home. */
  loser?: "captured" | "sent home";
  /** Whose pieces go when both numbers are the same. If missing: both. */
  tie?: "attacker" | "both" | "defender" | "nobody";
  /** What happens to a number that was chosen. If missing: kept. */
  hand?: "kept" | "spent";
}

/** How battles are played best. */
export interface BattlesDocument {
  total: number;
  /** How many battles have no single number that secures the value for either side. */
  mixed: number;
  /** A number that is proved to be best for both sides in every battle. */
  always_best: number | null;
  /** Whether some number may be best for both sides in every battle. */
  perhaps_best: boolean;
}

/** A track with its pieces. */
export interface BoardDocument {
  /** The first and the last cell. */
  cells: [number, number];
  /** Every cell from first to last, as the rulebook prints it. */
  labels: Array<string>;
  /** The same in notation. */
  position: string;
  pieces: Array<BoardPiece>;
  /** The cells that each side wants to reach. */
  goals: Record<string, Array<number>>;
  /** The home of each piece. */
  homes: Record<string, number>;
  /** Which way each side moves: 1 toward the last cell, -1 toward the first. */
  forward: Record<string, number>;
  /** Whose turn it is; null when the game is over. */
  to_move: "P1" | "P2" | null;
  battle: OpenBattle | null;
  /** The numbers that each side can still choose; missing if no number is ever spent. */
  hands?: HandsDocument;
}

/** A piece and where it stands. */
export interface BoardPiece {
  name: string;
  side: "P1" | "P2";
  /** Its cell; null for a captured piece. */
  at: number | null;
}

/** How likely the side to move is to win soon, if it plays its best against a level. */
export interface ChancesDocument {
  win: number;
  lose: number;
  /** The level of the opponent. */
  level: number;
  /** Within how many turns. */
  turns: number;
}

/** What a change does to best play. */
export type ChangeEffect = "length" | "none" | "unknown" | "value";

/** What can be done because the other player is away. */
export interface ClaimState {
  /** Until then you have to wait; 0 if you may claim now. */
  seconds_left: number;
  can: Array<"abort" | "computer" | "win">;
  sentence: string;
}

/** A promise of the author, and the property that is tested for it. */
export interface ClaimTable {
  says: string;
  property: Property;
  /** What the sentence says beyond the property. */
  not_tested?: string;
}

/** A move, or both numbers of a battle, and the position it leads to. */
export interface Continuation {
  move: string;
  /** What it does, as the log says it: `P1-C 2→4`. */
  text: string;
  position: string;
  /** Who wins the battle that it settles; null for a tie, and for any other move. */
  winner: "P1" | "P2" | null;
}

/** A live game that was created, with its creator's tokens. Keep them: they are sent once. */
export interface CreatedGame {
  id: string;
  seats: Record<string, string>;
  invite: string | null;
  spectator: string | null;
}

/** The result of the sequential test of a pairing. */
export interface DecisionDocument {
  /** The hypothesis that was accepted, `elo0` or `elo1`; `open` while undecided. */
  verdict: SprtVerdict;
  /** How many games it took. */
  games: number;
  /** The log-likelihood ratio after them. */
  ratio: number;
}

/** What a piece does by going from one cell to another. */
export interface DeedDocument {
  act: Act;
  side: Side;
  piece: string;
  from: number;
  to: number;
  /** The enemies that are taken, sent home or met in battle, or that cannot go forward then. */
  victims: Array<string>;
}

/** What a figure means, and its source. */
export interface DefinitionDocument {
  meaning: string;
  source: string;
}

/** A rulebook: a game, a text, its data, or what a link holds; and changes to it. */
export interface DesignChoice {
  game?: string | null;
  toml?: string | null;
  variant?: string | null;
  rulebook?: Record<string, unknown> | null;
  packed?: string | null;
  set?: Array<string>;
}

/** A rulebook as text and as data, with all that is wrong with it. */
export interface DesignDocument {
  toml: string;
  /** The data of the text, right or wrong; null where it is not TOML. */
  rulebook: Record<string, unknown> | null;
  /** The text for an address: `/design#PACKED`. */
  packed: string;
  valid: boolean;
  problems: Array<ProblemDocument>;
  title: string;
  /** The rules in words; empty unless the rulebook is valid. */
  rules: Array<string>;
  start: TriedPosition | null;
  variants: Array<ShownVariant>;
}

/** Every table and key of a rulebook file, in order; variants are left to its text. */
export interface DesignForm {
  tables: Array<FormTable>;
}

/** One side's number in a battle, and its skill and luck from that side's point of view. */
export interface DrawDocument {
  number: number;
  /** The chance of that number in optimal play. */
  optimal: number;
  /** The number's expected value against optimal play of the other side. */
  expected: number;
  /** What was gained by choosing it. */
  skill: number;
  /** What was gained by the other side's number. */
  luck: number;
  /** `?` or `??` if the number is proved to be worth less than the battle. */
  mistake: Mistake | null;
  reasons: Array<NumberReasonDocument>;
}

/** Both sides' numbers in a battle. */
export interface DrawsDocument {
  player1: DrawDocument;
  player2: DrawDocument;
}

/** The three figures that say whether a duel is worth playing. */
export interface DuelFigures {
  /** What player 1 can expect with best play of both sides: win 1, loss -1, endless 0. */
  value: [number, number];
  /** The expected length of a game between two players of level 4; null if it never ends. */
  turns: number | null;
  /** What the best player scores against a random one, in the worse seat: 0 to 1. */
  skill: number;
}

/** Whether best play by both sides can go on for ever. */
export type Endless = "always" | "never" | "possible";

/** A player's games against itself. */
export interface EqualsDocument {
  player: string;
  /** What player 1 can expect: win 1, loss -1, endless 0. */
  seat: number;
  /** The chance that play never ends. */
  endless: number;
  /** The expected length of the games that end; null if none does. */
  plies: number | null;
}

/** A place where the written rulebook contradicts itself, and the ruling. */
export interface ErratumTable {
  where: string;
  says: string;
  ruling: string;
}

/** What is wrong, in one plain sentence. */
export interface ErrorDocument {
  error: string;
}

/** The evidence for a verdict. */
export interface EvidenceDocument {
  /** The evidence in a sentence. */
  told: string;
  position: string | null;
  /** A line of play that shows it, as a record that can be replayed. */
  record: string | null;
}

/** A line of play, turn by turn. */
export interface EvidenceReplay {
  start: BoardDocument;
  turns: Array<ReplayedTurn>;
}

/** What an engine did wrong, and how many games it lost because of that. */
export interface FaultDocument {
  player: string;
  why: string;
  games: number;
}

/** The figures of a rulebook; the `definitions` of an audit explain them. */
export interface FiguresDocument {
  positions: number;
  branching: number;
  value: [number, number];
  plies: number | null;
  longest: number | null;
  /** Null if a game can go on for ever. */
  longest_game: number | null;
  /** Null if no game ends. */
  shortest_game: number | null;
  /** Whether best play of both sides can go on for ever; null if unknown. */
  endless: Endless | null;
  decisions: number;
  only_moves: number;
  turning_points: number;
  lead_changes: number;
  drama: number;
  elo_range: number | null;
  /** The longest line of players in which each scores 0.6 or more against the next. */
  chain: Array<string>;
  skill: SkillDocument;
  /** From the weakest player to the best. */
  equals: Array<EqualsDocument>;
  battles: BattlesDocument | null;
}

/** A claim, the verdict on it, and the evidence. */
export interface FindingDocument {
  /** The author's sentence. */
  says: string;
  /** The property that was tested. */
  property: Property;
  /** What the sentence says beyond the property. */
  not_tested: string | null;
  verdict: Verdict;
  why: string;
  evidence: EvidenceDocument;
}

/** A key of a rulebook file. */
export interface FormKey {
  /** With its table, such as `move.steps`. */
  key: string;
  kind: "flag" | "integer" | "integers" | "piece_steps" | "pieces" | "text" | "word";
  meaning: string;
  required: boolean;
  /** What it is when a file leaves it out; null where it is required. */
  default: unknown;
  lowest: number | null;
  /** The range of its number or numbers. */
  highest: number | null;
  fewest: number | null;
  /** How many entries it may have. */
  most: number | null;
  /** The words it may hold; any text if there are none. */
  words: Array<AllowedWord>;
  /** What is filled in in a text. */
  fields: Array<TemplateField>;
  needs: FormNeed | null;
}

/** What another key has to hold for a table or key to have a meaning. */
export interface FormNeed {
  key: string;
  words: Array<string>;
}

/** A table of a rulebook file, or a list of such tables. */
export interface FormTable {
  /** Empty for the keys at the top of the file. */
  table: string;
  meaning: string;
  /** Whether it is a list of tables, such as `[[claims]]`. */
  several: boolean;
  keys: Array<FormKey>;
  needs: FormNeed | null;
}

/** What was known before a change, as the server sent it. */
export interface FormerVerdicts {
  sentence: string;
  verdicts: Record<string, Verdict>;
}

/** Whether a rulebook keeps its promises, with all that shows it. */
export interface FoundAudit {
  type: "audit";
  title: string;
  summary: string;
  toml: string;
  /** The text for an address: `/design#PACKED`. */
  packed: string;
  board: BoardDocument;
  rules: Array<string>;
  worth: FoundValue;
  figures: DuelFigures;
  /** What the verdicts take for granted. */
  notes: Array<string>;
  claims: Array<ShownClaim>;
  openings: Array<ShownOpening>;
  /** How likely a game between two players of level 4 is to take 0, 1, 2 and more turns. */
  lengths: Array<number>;
  /** From the weakest player to the best. */
  equals: Array<ShownEquals>;
  words: Array<UsageDocument>;
  all_figures: Array<ShownFigure>;
}

/** Rulebooks close by: repairs, variants, or all that are a single change away. */
export interface FoundRulebooks {
  type: "rulebooks";
  sentence: string;
  /** Of single changes: how many have which effect. */
  effects?: Record<string, number>;
  /** If every promise holds: what fails, or holds only in part, without being promised. */
  unpromised?: Array<Property>;
  rulebooks: Array<NearbyRulebook>;
}

/** Who wins with best play. */
export interface FoundValue {
  type: "value";
  value: [number, number];
  plies: number | null;
  positions: number;
  sentence: string;
}

/** Who wins with best play, and the verdict on every claim. */
export interface FoundVerdicts {
  type: "verdicts";
  worth: FoundValue;
  verdicts: Array<ShownVerdict>;
  /** What the change has changed, in words; empty if nothing is known of the time before. */
  changed: string;
}

/** A duel of the gallery, ready to be played. */
export interface GalleryDuel {
  id: string;
  /** Whether a search found it; else it is an example to start from. */
  found: boolean;
  title: string;
  summary: string;
  toml: string;
  /** The text for an address: `/design#PACKED`. */
  packed: string;
  board: BoardDocument;
  /** A short game by chance, to show how pieces move. */
  sample: Array<SampleTurn>;
  figures: DuelFigures;
}

/** A recorded game as text, and the side that was yours. */
export interface GameRecord {
  record: string;
  you?: "P1" | "P2" | "both" | null;
}

/** The first frame of a connection. */
export interface Greeting {
  token: string;
  key?: string | null;
  version?: number | null;
}

/** A side chose its last number in hand, and has every number again. */
export interface HandFilledEvent {
  kind: "hand_filled";
  side: "P1" | "P2";
}

/** What both sides have in hand, where a number that was chosen is spent. */
export interface HandsDocument {
  /** The highest number that there is. */
  numbers: number;
  P1: Array<number>;
  P2: Array<number>;
}

/** One move of a game and its effect on the value. */
export interface JudgementDocument {
  move: string;
  /** The side that moved; null for a battle, in which both did. */
  side: Side | null;
  before: ValueDocument;
  after: ValueDocument;
  /** `?` lowers what the player can expect by at most one, `??` by more; null otherwise. */
  mistake: Mistake | null;
  /** By how many plies it wins later, or loses sooner, than necessary. */
  delay: number;
  /** A move that kept the value, if this one did not. */
  better: string | null;
  /** Best play, beginning with the better move. */
  line: Array<string>;
  /** The best answer to a mistake. */
  punished_by: string | null;
  /** Why it is a mistake; for any other move, what it leaves to the other side or misses. */
  reasons: Array<ReasonDocument>;
  /** By how many points, of 1, a move that keeps the value makes a win less likely than a loss; null below 0.05, and in games that are too large. */
  chances_lost: number | null;
  /** Both sides' numbers, if the move is a battle. */
  battle: DrawsDocument | null;
}

/** How strong the players are, computed exactly for every pairing. */
export interface LadderDocument {
  game: string;
  /** Where each game begins. */
  position: string;
  /** From the weakest to the best. */
  players: Array<string>;
  /** Every player against every other and against itself, in either seat. */
  results: Array<PairDocument>;
  /** The score of the row's player against the column's, over both seats: 0 to 1. */
  scores: Array<Array<number>>;
  /** By Bradley-Terry over all pairings; the first player is 0. */
  elo: Record<string, number>;
  /** The Elo difference between the first and the last player. */
  range: number;
  /** The longest line of players in which each scores 0.6 or more against the next. */
  chain: Array<string>;
  /** What player 1 can expect if a player plays itself: win 1, loss -1, endless 0. */
  seat: Record<string, number>;
}

/** The turn that was played last. */
export interface LastTurn {
  move: string;
  /** Who moved; null for a battle, in which both chose. */
  side: "P1" | "P2" | null;
  /** The position before it. */
  before: string;
  sentence: string;
  events: Array<MovedEvent | StayedEvent | PassedEvent | TakenEvent | SentHomeEvent | MovesAgainEvent | BattleEvent | RevealedEvent | HandFilledEvent | WonEvent>;
}

/** What there is to say about an answer. */
export interface LessonAnswer {
  right: boolean;
  /** Whether it is right, and why. */
  sentence: string;
  /** What the lesson says after a right answer; empty after a wrong one. */
  then: string;
  /** After the move, if it was a right move; otherwise null. */
  board: BoardDocument | null;
  /** What that move did. */
  events: Array<MovedEvent | StayedEvent | PassedEvent | TakenEvent | SentHomeEvent | MovesAgainEvent | BattleEvent | RevealedEvent | HandFilledEvent | WonEvent>;
  reasons: Array<ReasonDocument>;
}

/** A lesson without its answers. */
export interface LessonDocument {
  id: string;
  title: string;
  summary: string;
  steps: Array<LessonStepDocument>;
}

/** A text, often with a position and a question. */
export interface LessonStepDocument {
  /** Paragraphs, with an empty line between them. */
  text: string;
  game: string;
  /** Of the game. */
  title: string;
  /** The side that the learner plays. */
  side: Side;
  /** Null for a text without a position. */
  board: BoardDocument | null;
  /** What is asked for; null for a text to read. */
  question: "choice" | "move" | "number" | null;
  /** The legal moves, if one is asked for, without what they do. */
  moves: Array<PossibleMove>;
  /** What can be chosen, if a choice or a number is asked for. */
  choices: Array<string>;
}

/** An answer to a task of a lesson; without one, a right answer is shown. */
export interface LessonTaskAnswer {
  step: number;
  answer?: string | null;
}

/** A turn of a line that can be stepped through. */
export interface LineStep {
  /** What it does, as the log says it: `P1-C 2→4`. */
  text: string;
  /** After it. */
  board: BoardDocument;
  events: Array<MovedEvent | StayedEvent | PassedEvent | TakenEvent | SentHomeEvent | MovesAgainEvent | BattleEvent | RevealedEvent | HandFilledEvent | WonEvent>;
}

/** A lesson in the list. */
export interface ListedLesson {
  id: string;
  title: string;
  summary: string;
  /** How many questions it asks. */
  tasks: number;
  /** How many texts and questions it has. */
  steps: number;
  /** About how long it takes. */
  minutes: number;
  /** The first position that it shows. */
  board: BoardDocument | null;
}

/** The server closes the connection. */
export interface LiveBye {
  type: "bye";
  error: string;
  /** Whether to come back by yourself. */
  again: boolean;
}

/** Who is connected, and what that lets you do. */
export interface LivePresence {
  type: "presence";
  P1: boolean;
  P2: boolean;
  watching: number;
  claim: ClaimState | null;
}

/** A request was not carried out. */
export interface LiveRefused {
  type: "refused";
  id: number | null;
  error: string;
}

/** How a game ended. */
export interface LiveResult {
  /** Null for a game that was ended without a result. */
  winner: "P1" | "P2" | null;
  /** Such as `You won.` */
  headline: string;
  /** Such as `P1-C reached 8 after 14 turns.` */
  how: string;
  /** Both together. */
  sentence: string;
}

/** Turns, or a number chosen: what they change of the view. */
export interface LiveTurn {
  type: "turn";
  /** The version that this follows; a client with another one has missed something. */
  since: number;
  version: number;
  turn: number;
  board: BoardDocument;
  asked: Array<"P1" | "P2">;
  chosen: Array<"P1" | "P2">;
  moves: Array<PossibleMove>;
  numbers: Array<number>;
  sentence: string;
  last: LastTurn | null;
  /** Lines to add. */
  log: Array<LogLine>;
  result: LiveResult | null;
  undo: UndoState;
  stop: StopState;
  deadline?: number | null;
  /** The `id` of your request that this answers. */
  done?: number;
}

/** A live game as one side sees it, or a spectator: nothing in it is still secret. */
export interface LiveView {
  type: "view";
  id: string;
  /** Counts everything that happened; each message has the next number. */
  version: number;
  /** How many turns have been played. */
  turn: number;
  game: string;
  title: string;
  /** Which side you play; null for a spectator. */
  you: "P1" | "P2" | "both" | null;
  names: Record<string, string>;
  kinds: Record<string, "computer" | "person">;
  /** Who plays in words: `a person`, `level 3 (easy)`. */
  players: Record<string, string>;
  /** Whether every seat is taken; false while an invitation is open. */
  joined: boolean;
  /** Whether you can ask for advice: never in a game with a friend on another device. */
  helped?: boolean;
  board: BoardDocument;
  /** Who is to act. */
  asked: Array<"P1" | "P2">;
  /** Who has chosen a number in the open battle; not which. */
  chosen: Array<"P1" | "P2">;
  moves: Array<PossibleMove>;
  numbers: Array<number>;
  sentence: string;
  log: Array<LogLine>;
  last: LastTurn | null;
  result: LiveResult | null;
  presence: Presence;
  undo: UndoState;
  rematch: RematchState;
  stop: StopState;
  claim: ClaimState | null;
  /** What each player said last; those who have said nothing are left out. */
  reactions?: Record<string, ShownReaction>;
  /** Until when those who are asked have time, in seconds since 1970, if the game has `days`. */
  deadline?: number | null;
  /** The `id` of your request that this answers. */
  done?: number;
}

/** A turn of the game in a few words. */
export interface LogLine {
  n: number;
  side: "P1" | "P2" | null;
  move: string;
  text: string;
}

/** What happens when a piece lands on an occupied cell. */
export interface MeetTable {
  own: "blocked" | "shared";
  enemy: "battle" | "blocked" | "captured" | "sent home" | "shared" | "wins";
}

/** A move that is proved to lower what its player can expect. */
export type Mistake = "?" | "??";

/** Optimal play of both sides in a battle: the probability of each number. */
export interface Mixtures {
  player1: Record<string, number>;
  player2: Record<string, number>;
}

/** A legal move and its value; plies are counted from the position after it. */
export interface MoveDocument {
  move: string;
  value: [number, number];
  plies: number | null;
  exact?: string;
}

/** How a piece may step. */
export interface MoveTable {
  steps: Array<number>;
  edge: "illegal" | "stay";
  jump: boolean;
  /** When a player moves once more. If missing: never. */
  again?: "capture" | "never";
}

/** A piece moved to another cell. */
export interface MovedEvent {
  kind: "moved";
  side: "P1" | "P2";
  piece: string;
  from: number;
  to: number;
}

/** A side keeps the turn. */
export interface MovesAgainEvent {
  kind: "moves_again";
  side: "P1" | "P2";
}

/** A rulebook some changes away. */
export interface NearbyRulebook {
  /** The changes in short. */
  changes: Array<string>;
  /** What a single change is about, such as `move.steps`; empty for several. */
  about: string;
  /** The changes as assignments, to be sent as `set`. */
  set?: Array<string>;
  /** Its name, if it is a variant of the rulebook. */
  variant?: string;
  /** The rules in words that are different. */
  sentences: Array<string>;
  /** Who wins with best play. */
  sentence: string;
  /** The same in a few letters: `P2 in 20`. */
  short: string;
  /** What is different with best play: the value, only the length, nothing, or not known. */
  effect: ChangeEffect;
  /** Whether it is proved that neither seat is favoured. */
  fair?: boolean;
  rulings: Array<ShownRuling>;
  board: BoardDocument;
}

/** How many turns of its own each side needs to a goal while the other stands still. */
export interface NeedsDocument {
  /** Null if it can never reach a goal. */
  player1: number | null;
  player2: number | null;
}

/** A live game to create: one of the games, or a rulebook as TOML. */
export interface NewGame {
  game?: string | null;
  toml?: string | null;
  variant?: string | null;
  /** `here`, `friend`, or a program such as `level:3` or `perfect`. */
  opponent?: string;
  seat?: "P1" | "P2" | "random";
  name?: string | null;
  /** Whether to make a link for spectators. */
  watch?: boolean;
  /** Where to begin, if not at the start. */
  position?: string | null;
  /** How many days a player has for each turn of a game with a friend; null: both stay here. */
  days?: number | null;
}

/** How often best play chooses a number in a battle, and what it is worth. */
export interface NumberChance {
  number: number;
  chance: number;
  /** What its chooser can expect; null where that is not known. */
  worth: number | null;
}

/** Why a number of a battle is a mistake, or what it costs if the other side expects it. */
export interface NumberReasonDocument {
  kind: "beaten" | "predictable";
  sentence: string;
  /** The best answer to the number. */
  answer: number;
  /** What the number costs if the other side expects it; null for a mistake. */
  price: number | null;
}

/** A battle in which both are to choose a number. */
export interface OpenBattle {
  cell: number;
  /** The highest number that can be chosen. */
  numbers: number;
}

/** A first move and its value; plies are counted from the position after it. */
export interface OpeningDocument {
  move: string;
  value: [number, number];
  plies: number | null;
}

/** The result of a game between two players; the three chances add up to 1. */
export interface PairDocument {
  player1: string;
  player2: string;
  /** The chance that player 1 wins. */
  win1: number;
  /** The chance that player 2 wins. */
  win2: number;
  /** The chance that play never ends. */
  endless: number;
  /** The expected length of the games that end; null if none does. */
  plies: number | null;
}

/** The results of two players against each other, from the first player's point of view. */
export interface PairingDocument {
  player: string;
  opponent: string;
  won: number;
  lost: number;
  unfinished: number;
  /** The score as player 1; null before any game. */
  seat1: number | null;
  /** The score as player 2; null before any game. */
  seat2: number | null;
  /** Only if a sequential test was asked for. */
  decision: DecisionDocument | null;
  points: number;
  games: number;
}

/** A side had no legal move. */
export interface PassedEvent {
  kind: "passed";
  side: "P1" | "P2";
}

/** A position of a rulebook; the start, if none is given. */
export interface PositionChoice {
  game?: string | null;
  toml?: string | null;
  variant?: string | null;
  position?: string | null;
}

/** A legal move. */
export interface PossibleMove {
  /** Its notation. */
  move: string;
  /** The move as people read it, such as `P1-C 2→4`. */
  said: string;
  /** The piece that moves; null for a pass. */
  piece: string | null;
  from: number | null;
  to: number | null;
  /** What it does besides moving a piece, such as `takes P2-C`; often empty. */
  text: string;
}

/** Who is connected right now. */
export interface Presence {
  P1: boolean;
  P2: boolean;
  watching: number;
}

/** One thing that is wrong with a rulebook file. */
export interface ProblemDocument {
  /** The line in the file, counted from 1; for a missing key, the line of its table. */
  line: number;
  /** The key that is wrong, such as `move.steps`. */
  key: string;
  /** Its value. */
  holds: string;
  /** The allowed values. */
  allowed: string;
}

/** A property of a rulebook that can be decided; a claim is mapped to one. */
export type Property = "always ends" | "choices matter" | "ends quickly" | "every rule matters" | "neither seat favoured" | "no draw" | "no number is always best" | "skill wins";

/** What there is to say about an answer. */
export interface PuzzleAnswer {
  right: boolean;
  sentence: string;
  grade: number;
  /** The good move, if you asked for it or found it. */
  solution: string | null;
  /** After the good move, if that is shown; otherwise the puzzle's. */
  board: BoardDocument;
  events: Array<MovedEvent | StayedEvent | PassedEvent | TakenEvent | SentHomeEvent | MovesAgainEvent | BattleEvent | RevealedEvent | HandFilledEvent | WonEvent>;
  /** A wrong move and the reply to it, turn by turn; empty for a good one. */
  follows: Array<LineStep>;
  /** Why, in words; often empty for a wrong move. */
  reason: string;
  reasons: Array<ReasonDocument>;
  /** Yours after this answer, if it was the first to this puzzle. */
  rating: number;
  /** How many puzzles in a row you solved then. */
  streak: number;
}

/** Which puzzle: another one for each seed. */
export interface PuzzleChoice {
  game?: string | null;
  toml?: string | null;
  variant?: string | null;
  seed?: number;
  kind?: ReasonKind | null;
  position?: string | null;
}

/** A position in which exactly one move is good, or, if it was asked for, some moves are. */
export interface PuzzleDocument {
  game: string;
  board: BoardDocument;
  /** How many of the eight levels miss it. */
  grade: number;
  sentence: string;
  /** Without what they do, which would give the answer away. */
  moves: Array<PossibleMove>;
}

/** An answer to a puzzle; without a move, the answer is shown. */
export interface PuzzleMove {
  game?: string | null;
  toml?: string | null;
  variant?: string | null;
  position: string;
  move?: string | null;
  rating?: number;
  streak?: number;
}

/** Why a move is good or bad. */
export interface ReasonDocument {
  kind: ReasonKind;
  sentence: string;
  /** How many turns after the first move of the line it happens; 0 for that move itself. */
  turn: number;
  /** The moves that show it; it begins with the move in question, or with a better one. */
  line: Array<string>;
  /** The pieces to look at. */
  pieces: Array<string>;
  /** The cells to look at. */
  cells: Array<number>;
  /** What a piece does, if the reason is about that. */
  deed: DeedDocument | null;
  /** Of `race` and `unstoppable`; of `ahead` and `lost turns`: on an empty track. */
  needs: NeedsDocument | null;
}

/** What a reason is about. */
export type ReasonKind = "ahead" | "all lose" | "bad battle" | "distance" | "escape" | "gain" | "given up" | "later" | "left guard" | "lost turns" | "new guard" | "no escape" | "only safe" | "race" | "reply" | "threat" | "unstoppable" | "waiting" | "zugzwang";

/** Who wants to play again, and where that game is. */
export interface RematchState {
  offered_by: Array<"P1" | "P2">;
  /** The new game, once there is one; the same token opens it, with the seats swapped. */
  id: string | null;
}

/** A rulebook to repair. */
export interface RepairsChoice {
  game?: string | null;
  toml?: string | null;
  variant?: string | null;
  all?: boolean;
}

/** A game, turn by turn. */
export interface ReplayedGame {
  /** Where it stands in the file of its tournament, if it belongs to one. */
  line?: number | null;
  title: string;
  /** In words. */
  player1: string;
  player2: string;
  /** How it ended. */
  sentence: string;
  start: BoardDocument;
  turns: Array<ReplayedTurn>;
}

/** A turn of a game that is replayed. */
export interface ReplayedTurn {
  n: number;
  /** Who moved; null for a battle, in which both chose. */
  side: "P1" | "P2" | null;
  move: string;
  text: string;
  /** After the turn. */
  board: BoardDocument;
  events: Array<MovedEvent | StayedEvent | PassedEvent | TakenEvent | SentHomeEvent | MovesAgainEvent | BattleEvent | RevealedEvent | HandFilledEvent | WonEvent>;
}

/** What somebody in a live game asks for. */
export interface Request {
  turn?: number | null;
  move?: string | null;
  number?: number | null;
  side?: "P1" | "P2" | null;
  yes?: boolean | null;
  to?: number | null;
  name?: string | null;
  reaction?: "good-game" | "good-move" | "hello" | "oops" | "thinking" | "wow" | null;
  claim?: "abort" | "computer" | "win" | null;
  do: "claim" | "move" | "name" | "number" | "pass" | "react" | "rematch" | "resign" | "return" | "stop" | "stop-answer" | "undo" | "undo-answer" | "view";
  id?: number | null;
}

/** Both numbers of a battle were shown. */
export interface RevealedEvent {
  kind: "revealed";
  /** Who won the battle; missing for a tie. */
  side?: "P1" | "P2";
  cell: number;
  numbers: Record<string, number>;
}

/** A played game, judged move by move. */
export interface ReviewDocument {
  game: string;
  /** The position in which the game began. */
  position: string;
  /** Who won; `*` for a game that is not finished. */
  result: "*" | "1" | "2";
  /** Who resigned. */
  resigned: Side | null;
  /** Who forfeited the game. */
  forfeited: Side | null;
  moves: Array<JudgementDocument>;
  accuracy: AccuraciesDocument;
  /** Whether the values are estimates by search, because the game is too large to solve. */
  estimate: boolean;
}

/** A played game with a sentence for each mistake, and the value over time. */
export interface ReviewPageDocument {
  game: string;
  title: string;
  start: BoardDocument;
  /** What player 1 can expect at the start. */
  value: number;
  ending: string;
  /** What each side is called. */
  names: Record<string, string>;
  /** How well both sides played, and what accuracy means. */
  account: Array<string>;
  /** The number `n` of the move to open the review at: the last mistake of the side that lost. */
  turning_point: number | null;
  /** Sides whose habits cost them nothing, as they made no mistake. */
  harmless: Array<"P1" | "P2">;
  /** Two or three things that each side can learn from what it did. */
  take_aways: Record<string, Array<string>>;
  moves: Array<ReviewedMove>;
  /** The same as `lineduel review --json`. */
  review: ReviewDocument;
}

/** A move of a reviewed game, ready to be shown. */
export interface ReviewedMove {
  n: number;
  move: string;
  side: "P1" | "P2" | null;
  text: string;
  /** `?`, `??`, `!` or `?!`; often empty. */
  mark: string;
  /** What it cost; empty for a good move. */
  sentence: string;
  /** Why it was wrong, or what it left to the other side or missed; often empty. */
  reason: string;
  /** After the move. */
  board: BoardDocument;
  /** What player 1 can expect after it. */
  value: number;
  events: Array<MovedEvent | StayedEvent | PassedEvent | TakenEvent | SentHomeEvent | MovesAgainEvent | BattleEvent | RevealedEvent | HandFilledEvent | WonEvent>;
  /** Best play from the position before it, if it was a mistake; otherwise empty. */
  better: Array<LineStep>;
}

/** One of the games, or a rulebook as TOML. */
export interface RulebookChoice {
  game?: string | null;
  toml?: string | null;
  variant?: string | null;
}

/** A rulebook with its board, its rules in words and its text. */
export interface RulebookPage {
  game: string;
  title: string;
  summary: string;
  /** How each side wins, in one line. */
  goals: Record<string, string>;
  rules: Array<string>;
  rulebook: RulesDocument;
  board: BoardDocument;
  toml: string;
  variants: Array<ShownVariant>;
}

/** A rulebook, with the same keys as in its TOML file. */
export interface RulesDocument {
  /** Its address, which commands take as GAME. */
  game: string;
  title: string;
  summary: string;
  track: TrackTable;
  player1: TeamTable;
  player2: TeamTable;
  turn: TurnTable;
  move: MoveTable;
  meet: MeetTable;
  /** Only if enemies who meet fight a battle. */
  battle?: BattleTable;
  /** The game's texts that differ from the defaults. */
  words: Record<string, string | Record<string, string>>;
  claims: Array<ClaimTable>;
  errata: Array<ErratumTable>;
  variants: Record<string, Record<string, unknown>>;
}

/** A turn of a sample game. */
export interface SampleTurn {
  /** Where every piece is after it, in the order of the board's pieces. */
  at: Array<number | null>;
  battle: OpenBattle | null;
  events: Array<MovedEvent | StayedEvent | PassedEvent | TakenEvent | SentHomeEvent | MovesAgainEvent | BattleEvent | RevealedEvent | HandFilledEvent | WonEvent>;
}

/** A piece was sent back to its home. */
export interface SentHomeEvent {
  kind: "sent_home";
  /** Whose piece it is. */
  side: "P1" | "P2";
  piece: string;
  from: number;
  to: number;
}

/** A claim, the verdict on it, and what shows it. */
export interface ShownClaim {
  property: Property;
  says: string;
  /** Whether the author promises it; else any rulebook might. */
  claimed: boolean;
  /** What the author's sentence says beyond the property. */
  not_tested: string | null;
  verdict: Verdict;
  why: string;
  evidence: string;
  /** A line of play that shows it. */
  replay?: EvidenceReplay;
  /** A position that shows it. */
  board?: BoardDocument;
}

/** A player's games against itself, in shares from 0 to 1. */
export interface ShownEquals {
  /** In words. */
  player: string;
  win1: number;
  win2: number;
  endless: number;
  plies: number | null;
}

/** A figure with its meaning. */
export interface ShownFigure {
  title: string;
  shown: string;
  meaning: string;
  source: string;
}

/** A game on the first page. */
export interface ShownGame {
  id: string;
  title: string;
  summary: string;
  rules: Array<string>;
  rulebook: RulesDocument;
  board: BoardDocument;
  /** A short game by chance, to show how pieces move. */
  sample: Array<SampleTurn>;
  variants: Array<ShownVariant>;
  figures: DuelFigures;
}

/** A first move and its value, in words. */
export interface ShownOpening {
  move: string;
  text: string;
  /** What the player who makes it can expect, in the middle of the bounds. */
  worth: number;
}

/** A program to play against. */
export interface ShownOpponent {
  id: string;
  name: string;
  character: string;
}

/** What a player said last to the other one. */
export interface ShownReaction {
  reaction: "good-game" | "good-move" | "hello" | "oops" | "thinking" | "wow";
  /** How many things this player has said. */
  count: number;
}

/** The verdict on a property. */
export interface ShownRuling {
  property: Property;
  verdict: Verdict;
  why: string;
}

/** A tournament in a list. */
export interface ShownTournament {
  /** By which it can be asked for. */
  name: string;
  game: string;
  title: string;
  /** In words. */
  players: Array<string>;
}

/** A variant on the first page. */
export interface ShownVariant {
  name: string;
  summary: string;
}

/** A claim and the verdict on it. */
export interface ShownVerdict {
  property: Property;
  says: string;
  /** Whether the author promises it; else any rulebook might. */
  claimed: boolean;
  verdict: Verdict;
  why: string;
  /** Whether the verdict was another one before the change. */
  changed: boolean;
}

/** Player 1, who moves toward the last cell, or player 2, who moves toward the first. */
export type Side = 1 | 2;

/** The score of the best player against a random one, for each seat: 0 to 1. */
export interface SkillDocument {
  as_player1: number;
  as_player2: number;
}

/** The solution of a game from one position. */
export interface SolveDocument {
  game: string;
  position: string;
  /** Positions solved, ended ones and open battles included; like pieces are not distinguished. */
  positions: number;
  /** Whether `positions` counts only positions that can be reached, not the whole table. */
  counted: "estimated" | "reachable" | "solved";
  /** What player 1 can expect, as a proved interval: win 1, loss -1, endless 0. */
  value: [number, number];
  /** The number of plies to a forced win, with best play of both sides; null if there is none. */
  plies: number | null;
  /** The value as a fraction, if it is known exactly and is not a whole number. */
  exact?: string;
  /** The largest number of plies to a forced win; null if there is none. */
  longest: number | null;
  /** Whether best play of both sides can go on for ever; null if unknown. */
  endless: Endless | null;
  /** The chance of that between two perfect players. */
  endless_chance: number;
  /** Set if the work limit was reached; tighter bounds may exist. */
  limited?: true;
  /** Only in an open battle, instead of `moves`. */
  battle?: Mixtures;
  /** All legal moves, in the order of the rulebook; empty if the game is over. */
  moves?: Array<MoveDocument>;
}

/** What a test has found so far. */
export type SprtVerdict = "elo0" | "elo1" | "open";

/** A player's row in the table. */
export interface StandingDocument {
  player: string;
  elo: number;
  /** Half the width of the 95 % interval; null before any game. */
  margin: number | null;
  points: number;
  games: number;
  won: number;
  lost: number;
  unfinished: number;
}

/** A piece was moved, and stays where it was. */
export interface StayedEvent {
  kind: "stayed";
  side: "P1" | "P2";
  piece: string;
  cell: number;
}

/** Whether the game can be ended by agreement, without a winner, and who offers it. */
export interface StopState {
  can: boolean;
  offered_by: "P1" | "P2" | null;
  /** Who wants to play on; forgotten with the next turn. */
  refused_by: "P1" | "P2" | null;
  /** What is offered or refused; empty if nothing is. */
  sentence: string;
  /** Whether the game goes in circles, so that an offer suggests itself. */
  is_due?: boolean;
}

/** A legal move with what it leads to. */
export interface StudiedMove {
  move: string;
  /** The move as people read it, such as `P1-C 2→4`. */
  said: string;
  /** The piece that moves; null for a pass. */
  piece: string | null;
  from: number | null;
  to: number | null;
  /** What it does besides moving a piece. */
  text: string;
  /** The position it leads to. */
  after: string;
  /** What player 1 can expect after it. */
  value: [number, number];
  /** Of a forced win, counted from the position in front of you. */
  plies: number | null;
  /** After it; null where a win is forced, or where the game is too large. */
  chances: ChancesDocument | null;
  /** Value and chances in words, for the side to move: `wins in 7`. */
  sentence: string;
  /** Whether it is one of the best moves by value; moves of equal value are ranked by chances. */
  best: boolean;
  /** The first reason for it in a few words; often empty. */
  words: string;
  /** Why it is good or bad, the most telling first; none in games that are too large. */
  reasons: Array<ReasonDocument>;
}

/** A position and all that is known about it. */
export interface StudyDocument {
  game: string;
  title: string;
  board: BoardDocument;
  /** The position that the game begins with. */
  start: string;
  /** Who has won; null while the game is not over. */
  winner: "P1" | "P2" | null;
  /** What player 1 can expect, as a proved interval; null where the game is too large. */
  value: [number, number] | null;
  plies: number | null;
  /** Of the side to move; null in a battle, where a win is forced, and in games too large. */
  chances: ChancesDocument | null;
  /** Who wins with best play. */
  sentence: string;
  /** What to play and why; empty when the game is over. */
  hint: string;
  moves: Array<StudiedMove>;
  /** In an open battle, in place of moves. */
  mixture: Record<string, Array<NumberChance>> | null;
  /** How an open battle can go on. */
  outcomes: Array<Continuation>;
  /** Best play from here. */
  line: Array<Continuation>;
  /** Whether the game is too large to solve, so that a search looked ahead instead. */
  estimate: boolean;
}

/** A piece was captured. */
export interface TakenEvent {
  kind: "taken";
  /** Whose piece it is. */
  side: "P1" | "P2";
  piece: string;
  cell: number;
}

/** Player 1, who moves toward the last cell. */
export interface TeamTable {
  pieces: Record<string, number>;
  goal: Array<number>;
  /** How many of player 1's pieces have to stand on goal cells at the same time, at most as many as there are. If missing: 1. */
  goal_needs?: number;
  /** The steps of player 1's pieces in place of move.steps, in the same way; if empty, those of move.steps. If missing: none. */
  steps?: Array<number>;
  /** The steps of single pieces of player 1, as { A = [1], B = [1, 2] }, in place of those of all others. If missing: none. */
  piece_steps?: Record<string, Array<number>>;
}

/** A field of a text, as in `{player}`. */
export interface TemplateField {
  name: string;
  meaning: string;
}

/** What is said to a player, and what to look at. */
export interface TipDocument {
  text: string;
  pieces: Array<string>;
  cells: Array<number>;
  /** What a piece does, if the tip is about that. */
  deed: DeedDocument | null;
}

/** A rulebook as text. */
export interface Toml {
  toml: string;
}

/** A tournament: its settings, its table, and every pairing. */
export interface TournamentDocument {
  game: string;
  title: string;
  /** All rules, as assignments in one line. */
  rules: string;
  /** The position in which games, or their random openings, begin. */
  start: string;
  players: Array<string>;
  /** Number of games for each pairing, over both seats. */
  games: number;
  seed: number;
  /** A game is stopped after this many plies. */
  plies: number;
  /** Number of random plies before the players begin. */
  opening: number;
  /** Whether only the first player plays against all others. */
  gauntlet: boolean;
  /** elo0 and elo1 of the sequential test; null if there is none. */
  sprt: [number, number] | null;
  /** Milliseconds an engine may think about a move. */
  movetime: number;
  /** Simulated games per move of a search player. */
  playouts: number;
  /** How many games count; games after a decision do not. */
  counted: number;
  /** The strongest player first. */
  table: Array<StandingDocument>;
  pairings: Array<PairingDocument>;
  faults: Array<FaultDocument>;
}

/** A game of a tournament. */
export interface TournamentGame {
  /** Its line in the file, by which it can be asked for. */
  line: number;
  player1: string;
  player2: string;
  /** Who won; `*` for a game that was stopped. */
  result: "*" | "1" | "2";
  plies: number;
  /** What the loser did wrong, if it lost by that. */
  why: string | null;
}

/** The cells in a row, known by the numbers printed on them. */
export interface TrackTable {
  first: number;
  last: number;
}

/** A legal move, or both numbers of a battle, with what comes of it. */
export interface TriedMove {
  move: string;
  /** The move as people read it, such as `P1-C 2→4`. */
  said: string;
  /** The piece that moves; null for a pass and for a battle. */
  piece: string | null;
  from: number | null;
  to: number | null;
  /** What it does besides moving a piece. */
  text: string;
  /** The position it leads to. */
  after: string;
  events: Array<MovedEvent | StayedEvent | PassedEvent | TakenEvent | SentHomeEvent | MovesAgainEvent | BattleEvent | RevealedEvent | HandFilledEvent | WonEvent>;
  /** What happened, once it is played. */
  sentence: string;
}

/** A position with its legal moves; nothing is solved. */
export interface TriedPosition {
  board: BoardDocument;
  winner: "P1" | "P2" | null;
  /** Whose turn it is, or who has won. */
  sentence: string;
  /** In an open battle every pair of numbers; none when the game is over. */
  moves: Array<TriedMove>;
}

/** Who begins, and what happens to a player who cannot move. */
export interface TurnTable {
  first: "either" | "player1" | "player2";
  /** What happens to a player who has the turn and no legal move. If missing: passes. */
  stuck?: "loses" | "passes";
}

/** Whether a turn can be taken back, and who asks for it. */
export interface UndoState {
  can: boolean;
  asked_by: "P1" | "P2" | null;
  /** What is asked; empty if nothing is. */
  sentence: string;
  /** How many turns would be left; an answer repeats it, so that it answers no other question. */
  to?: number;
}

/** In how many positions a rule matters. */
export interface UsageDocument {
  word: Word;
  positions: number;
  /** How many of those positions occur in best play. */
  in_best_play: number;
  /** The position of these that is nearest to the start. */
  example: string | null;
}

/** Everything that is wrong with a rulebook file. */
export interface ValidateDocument {
  file: string;
  valid: boolean;
  /** The problems in the order of their lines; empty for a valid file. */
  problems: Array<ProblemDocument>;
  /** The warnings in the order of their lines; empty if nobody looked for any. */
  warnings: Array<WarningDocument>;
  /** The number of positions that were looked at for warnings; null if nobody looked, because the file has problems or there are too many positions. */
  positions: number | null;
}

/** What a position is worth. */
export interface ValueDocument {
  /** What player 1 can expect, as a proved interval: win 1, loss -1, endless 0. */
  value: [number, number];
  /** The number of plies to a forced win, from this position; null if there is none. */
  plies: number | null;
  /** The value as a fraction, if it is known exactly and is not a whole number. */
  exact?: string;
}

/** What came of a claim. */
export type Verdict = "holds in part" | "proved" | "refuted";

/** A rulebook to judge. */
export interface VerdictsChoice {
  game?: string | null;
  toml?: string | null;
  variant?: string | null;
  before?: FormerVerdicts | null;
}

/** One thing that is valid and yet looks like a mistake. */
export interface WarningDocument {
  /** The line in the file, counted from 1. */
  line: number;
  /** The key that it is about, such as `move.edge`. */
  key: string;
  kind: WarningKind;
  sentence: string;
}

/** What a warning is about. */
export type WarningKind = "goal out of reach" | "goal too small" | "over at the start" | "pieces never move" | "pieces start together" | "player cannot win" | "rule never matters";

/** A tournament that may still be under way, as far as it has been played. */
export interface WatchedTournament {
  name: string;
  /** When the file was last written to, in seconds since 1970. */
  changed: number;
  played: number;
  /** How many games there are to be, unless a pairing is decided before. */
  total: number;
  /** The share of the games that need not be played any more: 1 when it is over. */
  done: number;
  /** Each player in words. */
  names: Record<string, string>;
  tournament: TournamentDocument;
  /** The newest game first. */
  newest: Array<TournamentGame>;
}

/** The game was won. */
export interface WonEvent {
  kind: "won";
  side: "P1" | "P2";
  /** The piece that won it, if one did. */
  piece?: string;
  cell?: number;
}

/** Something that a rulebook speaks of. */
export type Word = "a battle" | "a battle is tied" | "a goal is reached" | "a number is spent when a battle is fought" | "a piece is captured" | "a piece is jumped" | "a piece is sent home" | "a piece may not be jumped" | "a player without a legal move loses" | "a side moves again" | "a step off the track is not allowed" | "a step off the track stays" | "a turn is passed" | "both lose their last piece" | "enemies share a cell" | "landing on the enemy wins" | "own pieces block" | "own pieces share a cell" | "the enemy blocks" | "the last enemy is captured";

/** Why there is no answer. */
export interface WorkError {
  type: "error";
  error: string;
}

/** How far the work is. */
export interface WorkProgress {
  type: "progress";
  doing: string;
  done?: number;
  /** 0 if it is not known. */
  total?: number;
}

export type DesignMessage = WorkProgress | WorkError | FoundValue | FoundVerdicts | FoundRulebooks | FoundAudit;

export type EventDocument = MovedEvent | StayedEvent | PassedEvent | TakenEvent | SentHomeEvent | MovesAgainEvent | BattleEvent | RevealedEvent | HandFilledEvent | WonEvent;

export type LiveMessage = LiveView | LiveTurn | LiveRefused | LivePresence | LiveBye;

/** The answer to GET, by path. */
export interface GET {
  "/api/addresses": Array<string>;
  "/api/audits": Array<AuditedGame>;
  "/api/design/form": DesignForm;
  "/api/gallery": Array<GalleryDuel>;
  "/api/games": Array<ShownGame>;
  "/api/ladder/{game}": LadderDocument;
  "/api/lessons": Array<ListedLesson>;
  "/api/lessons/{lesson_id}": LessonDocument;
  "/api/live/{id}": LiveView;
  "/api/live/{id}/advice": AdviceDocument;
  "/api/live/{id}/record": string;
  "/api/live/{id}/replay": ReplayedGame;
  "/api/live/{id}/rules": RulebookPage;
  "/api/opponents": Array<ShownOpponent>;
  "/api/puzzles/of-the-day": PuzzleDocument;
  "/api/tournaments": Array<ShownTournament>;
  "/api/tournaments/{name}": WatchedTournament;
  "/api/tournaments/{name}/events": WatchedTournament;
  "/api/tournaments/{name}/games/{line}": ReplayedGame;
}

/** What POST takes, and its answer, by path. */
export interface POST {
  "/api/audit": { asks: AuditChoice; answers: AuditAnswer };
  "/api/design": { asks: DesignChoice; answers: DesignDocument };
  "/api/design/audit": { asks: AuditedChoice; answers: WorkProgress | WorkError | FoundValue | FoundVerdicts | FoundRulebooks | FoundAudit };
  "/api/design/changes": { asks: RulebookChoice; answers: WorkProgress | WorkError | FoundValue | FoundVerdicts | FoundRulebooks | FoundAudit };
  "/api/design/repairs": { asks: RepairsChoice; answers: WorkProgress | WorkError | FoundValue | FoundVerdicts | FoundRulebooks | FoundAudit };
  "/api/design/variants": { asks: RulebookChoice; answers: WorkProgress | WorkError | FoundValue | FoundVerdicts | FoundRulebooks | FoundAudit };
  "/api/design/verdicts": { asks: VerdictsChoice; answers: WorkProgress | WorkError | FoundValue | FoundVerdicts | FoundRulebooks | FoundAudit };
  "/api/lessons/{lesson_id}/answer": { asks: LessonTaskAnswer; answers: LessonAnswer };
  "/api/live": { asks: NewGame; answers: CreatedGame };
  "/api/live/{id}/{action}": { asks: ActionBody; answers: LiveView };
  "/api/moves": { asks: PositionChoice; answers: TriedPosition };
  "/api/puzzles": { asks: PuzzleChoice; answers: PuzzleDocument };
  "/api/puzzles/answer": { asks: PuzzleMove; answers: PuzzleAnswer };
  "/api/review": { asks: GameRecord; answers: ReviewPageDocument };
  "/api/rules": { asks: RulebookChoice; answers: RulebookPage };
  "/api/solve": { asks: PositionChoice; answers: SolveDocument };
  "/api/study": { asks: PositionChoice; answers: StudyDocument };
  "/api/validate": { asks: Toml; answers: ValidateDocument };
}
