/** The name of the operating system, as Node spells it: `linux`, `darwin`, `win32`. */
export const PLATFORM: string = process.platform;
