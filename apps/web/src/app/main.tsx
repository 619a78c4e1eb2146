import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Providers } from "./providers.tsx";
import "./styles.css";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no place to stand in.");
createRoot(root).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
);
