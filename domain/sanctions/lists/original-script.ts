/** Whether a name has letters, and none of them Latin. */
export function isOriginalScript(name: string): boolean {
  return /\p{L}/u.test(name) && !/\p{Script=Latin}/u.test(name);
}
