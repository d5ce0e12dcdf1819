/** Names for the generated types; nothing here restates a model. */
import type { Schemas } from "@shiplog/client";

export type { Schemas } from "@shiplog/client";
export type MatchView = Schemas["MatchView"];
export type SeatView = Schemas["SeatView"];
export type ProposalView = NonNullable<MatchView["proposal"]>;
export type FullView = Schemas["FullView"];
export type Moment = Schemas["Moment"];
export type Replay = Schemas["Replay"];
export type ListedMatch = Schemas["ListedMatch"];
export type GameSummary = Schemas["GameSummary"];
export type GameDetail = Schemas["GameDetail"];
export type TutorialWords = Schemas["TutorialWords"];
export type CoachTip = Schemas["CoachTip"];
export type TutorialBoard = Schemas["TutorialBoard"];
export type TutorialAttempt = Schemas["TutorialAttempt"];
export type PuzzleSummary = Schemas["PuzzleSummary"];
export type PuzzleBoard = Schemas["PuzzleBoard"];
export type PuzzleAttempt = Schemas["PuzzleAttempt"];
export type PuzzleScore = Schemas["PuzzleScore"];
export type DailyPuzzle = Schemas["DailyPuzzle"];
export type NewMatch = Schemas["NewMatch"];
export type NewSeek = Schemas["NewSeek"];
export type ToldRecord = Schemas["ToldRecord"];
export type Notice = Schemas["Notice"];
export type Invitation = Schemas["Invitation"];
export type RematchView = Schemas["RematchView"];
export type RematchOffer = Schemas["RematchOffer"];
export type MatchCard = Schemas["MatchCard"];
export type Seek = Schemas["SeekView"];
export type SignedErratum = Schemas["SignedErratum"];
export type Message = Schemas["Message"];
export type Problem = Schemas["Problem"];
export type Legal = Schemas["Legal"];
export type MatchCommand = Schemas["MatchCommand"];

/** A command or an event of any game, identified by its type. */
export interface Tagged {
  readonly type: string;
  readonly [field: string]: unknown;
}
