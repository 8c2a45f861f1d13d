/** Loaded into a measured process: tells its parent the processor time that it has used, when asked and at its end. */
import { Socket } from "node:net";

let connections = 0;
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...where) {
  connections += 1;
  return connect.apply(this, where);
};
process.on("message", () => process.send(process.cpuUsage()));
process.channel.unref();
process.on("disconnect", () => process.exit());
process.on("exit", () => process.connected && process.send({ ...process.cpuUsage(), connections }));
