/** Leave to send the contents of one file. */
interface UploadTicket {
  readonly id: number;
  readonly workItemId: number;
  readonly fileName: string;
  readonly mimeType: string | null;
  readonly until: number;
  /** Where its contents are sent, relative to the API's base: `/uploads/1`. */
  readonly path: string;
}

/** Tickets by id; one is taken out when its contents arrive. */
export type UploadTickets = Map<number, UploadTicket>;
