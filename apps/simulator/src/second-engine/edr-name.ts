/** Version of the second engine, because another version may have another result. The main thread never loads the engine itself. */
export const edrName = "@nomicfoundation/edr 0.22.0";
