// A boardgame.io server: node server.cjs memory|files PORT FOLDER

const { FlatFile, Origins, Server } = require("boardgame.io/server");
const { Discard } = require("./game.cjs");

const [store, port, dir] = process.argv.slice(2);
const db = store === "files" ? new FlatFile({ dir }) : undefined;
const server = Server({ games: [Discard], db, origins: [Origins.LOCALHOST] });
console.info = () => {};
console.error = () => {};
server.run({ port: Number(port), callback: () => console.log(`at http://127.0.0.1:${port}`) });
