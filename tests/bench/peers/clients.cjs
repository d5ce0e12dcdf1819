// Clients of a boardgame.io server, each with one move under way at a time, over WebSockets:
// node clients.cjs PORT CLIENTS WARM_S RUN_S. Prints "warm" when the measurement starts, then the
// milliseconds of the moves as JSON.

const { io } = require("socket.io-client");

const [port, clients, warmS, runS] = process.argv.slice(2).map(Number);
const url = `http://127.0.0.1:${port}`;
const MATCHES = 1000; // made before the clock starts, so that only moves are measured
const took = [];

async function posted(path, body) {
  const answer = await fetch(`${url}/games/discard${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

function next(socket, event) {
  return new Promise((resolve) => socket.once(event, (_match, told) => resolve(told)));
}

async function table() {
  const { matchID } = await posted("/create", { numPlayers: 1 });
  const { playerCredentials: credentials } = await posted(`/${matchID}/join`, {
    playerID: "0",
    playerName: "bench",
  });
  return { matchID, credentials };
}

async function prepared() {
  const socket = io(`${url}/discard`, { transports: ["websocket"], forceNew: true });
  const tables = [];
  for (let made = 0; made < MATCHES / clients; made++) tables.push(await table());
  return { socket, tables };
}

async function play({ socket, tables }, start, end) {
  for (const { matchID, credentials } of tables) {
    const synced = next(socket, "sync");
    socket.emit("sync", matchID, "0", credentials, 1);
    let { state } = await synced;
    while (performance.now() < end && state.ctx.gameover === undefined) {
      const payload = { type: "discardTwo", args: state.G.hand.slice(0, 2), playerID: "0", credentials };
      const sent = performance.now();
      const updated = next(socket, "update");
      socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, matchID, "0");
      state = await updated;
      const done = performance.now();
      if (sent >= start && done <= end) took.push(done - sent);
    }
    if (performance.now() >= end) break;
  }
  socket.disconnect();
}

async function main() {
  const ready = await Promise.all(Array.from({ length: clients }, prepared));
  const start = performance.now() + warmS * 1000;
  const end = start + runS * 1000;
  setTimeout(() => console.log("warm"), warmS * 1000);
  await Promise.all(ready.map((each) => play(each, start, end)));
}

main().then(
  () => {
    process.stdout.write(JSON.stringify(took), () => process.exit(0));
  },
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
