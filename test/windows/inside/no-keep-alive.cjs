// Wine 8 refuses keep-alive on a socket that is not connected yet, and so every connection of undici. Windows does not.
require('node:net').Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};
