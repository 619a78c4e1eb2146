// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// Wallets that mean harm or are broken. For the tests of apps/api/src/adapters/wallets only.

contract BurningWallet {
    function isValidSignature(bytes32 hash, bytes calldata) external pure returns (bytes4) {
        while (true) hash = keccak256(abi.encode(hash));
        return bytes4(hash);
    }
}

contract InvalidOpcodeWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        assembly {
            invalid()
        }
    }
}

contract RevertingWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        revert("not today");
    }
}

/// @dev Returns as much as its gas can pay for.
contract BombWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        assembly {
            return(0, 1000000)
        }
    }
}

/// @dev Says yes, but in 4 bytes where ERC-1271 has a word.
contract ShortWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        assembly {
            mstore(0, shl(224, 0x1626ba7e))
            return(0, 4)
        }
    }
}

/// @dev Takes every call and answers with `true`, as a token's or a relay's fallback may.
contract AgreeableContract {
    fallback() external {
        assembly {
            mstore(0, 1)
            return(0, 32)
        }
    }
}

/// @dev Rejects every signature until any caller makes it accept them.
contract LooseWallet {
    bool private _isLoose;

    function loosen() external {
        _isLoose = true;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        return _isLoose ? this.isValidSignature.selector : bytes4(0);
    }
}

/// @dev EIP-3668: asks the caller to fetch a URL of the wallet's choice.
contract LookupWallet {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData);

    string private _url;

    constructor(string memory url) {
        _url = url;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        string[] memory urls = new string[](1);
        urls[0] = _url;
        revert OffchainLookup(address(this), urls, "", this.isValidSignature.selector, "");
    }
}
