/** In CI a missing program fails its tests; on a developer's machine they are skipped with a warning. */
export const isCi = (): boolean => (process.env["CI"] ?? "") !== "";
