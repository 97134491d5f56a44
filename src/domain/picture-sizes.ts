/** The sizes in which pictures of cards are served, by their width in pixels. */
export const PICTURE_WIDTHS = {
  /** For rows: sharp up to 40 px on screens of four pixels a px. */
  thumb: 160,
  /** For grids, and for the page of a card on screens of one pixel a px. */
  small: 360,
  /** For the page of a card. */
  large: 720,
} as const;

export type PictureSize = keyof typeof PICTURE_WIDTHS;
