export const name = "module " + Math.random();
