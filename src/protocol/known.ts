/**
 * The fields that a schema names, without the index signature that allows unknown ones, so that code that writes an object is checked field by
 * field.
 */
export type Known<T> = T extends readonly (infer Item)[]
  ? Known<Item>[]
  : T extends object
    ? {[Key in keyof T as string extends Key ? never : Key]: Known<T[Key]>}
    : T;
