import { clsx, type ClassValue } from "clsx";

/** Joins class names. */
export const cn = (...classes: readonly ClassValue[]): string => clsx(classes);
