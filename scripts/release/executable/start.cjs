// Loads the command: the first module of a single executable cannot import files, a module on disk can.
module.exports = async (command) => await import(`./bin/${command}.mjs`);
