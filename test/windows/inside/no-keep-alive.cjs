// Wine 8 refuses keep-alive on a socket before its connection, and therefore every connection of undici. Windows accepts keep-alive.
require('node:net').Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};
