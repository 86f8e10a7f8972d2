/** An audit row as the API shows it. */
export interface AuditEventJson {
  readonly id: number;
  readonly timestamp: string;
  readonly user_id: string;
  /** The user's name today; absent for nobody and for users who are gone. */
  readonly username?: string;
  readonly action: string;
  readonly backend: string;
  readonly bucket: string;
  readonly key: string;
  readonly request_id: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly status: string;
  readonly detail: Readonly<Record<string, unknown>>;
}
