/** What stands beside the board, in a file of its own: the board is shown without waiting for it. */
export { immutableJSONPatch } from "immutable-json-patch";
export { default as Menu } from "./Menu.svelte";
export { default as MoveList } from "./MoveList.svelte";
export { default as Outcome } from "./Outcome.svelte";
export { default as Proposal } from "./Proposal.svelte";
export { default as Solver } from "./Solver.svelte";
export { default as Story } from "./Story.svelte";
export { default as Talk } from "./Talk.svelte";
export { default as Waiting } from "./Waiting.svelte";
export { default as Why } from "../bots/Why.svelte";
export { movedByBot } from "../bots/naming";
