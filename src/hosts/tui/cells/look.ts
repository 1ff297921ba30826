/** A colour of the terminal's palette by its number (0 to 15 are the person's own, 16 to 255 fixed), or `#rrggbb`. */
export type Colour = number | `#${string}`;

/** The style of cells. Absent properties have the terminal's default. */
export interface Look {
  readonly fg?: Colour | undefined;
  readonly bg?: Colour | undefined;
  readonly bold?: boolean | undefined;
  readonly dim?: boolean | undefined;
  readonly italic?: boolean | undefined;
  readonly underline?: boolean | undefined;
  readonly inverse?: boolean | undefined;
  readonly strike?: boolean | undefined;
}
