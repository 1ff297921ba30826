/** The name of the operating system in Node: `linux`, `darwin`, `win32`. */
export const PLATFORM: string = process.platform;
