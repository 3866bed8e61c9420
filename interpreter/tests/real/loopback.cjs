// Loaded before a server that would listen on every interface: keeps it on 127.0.0.1.
"use strict";
const { Server } = require("node:net");

const listen = Server.prototype.listen;
Server.prototype.listen = function (port, host, ...rest) {
  return listen.call(this, port, "127.0.0.1", ...(typeof host === "function" ? [host] : []), ...rest);
};
