"""Schemas, in Swagger 2.0, of the responses that ``bodies`` creates."""

from __future__ import annotations

from typing import Any, Final

Schema = dict[str, Any]

_TEXT: Final[Schema] = {"type": "string"}
_WHOLE: Final[Schema] = {"type": "integer", "format": "int32"}
_NUMBER: Final[Schema] = {"type": "number", "format": "double"}
_YES: Final[Schema] = {"type": "boolean"}
_TIME: Final[Schema] = {"type": "string", "format": "date-time"}


def _object(**members: Schema) -> Schema:
    return {"type": "object", "required": list(members), "properties": members}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def reference(name: str) -> Schema:
    return {"$ref": f"#/definitions/{name}"}


SCHEMAS: Final[dict[str, Schema]] = {
    "Error": _object(message=_TEXT),
    "Empty": {"type": "object", "properties": {}},
    "User": _object(userId=_TEXT, nickName=_TEXT),
    "NewRoom": _object(roomId=_WHOLE),
    "State": _object(
        userId=_TEXT,
        nickName=_TEXT,
        roomId=_WHOLE,
        numbers=_WHOLE,
        duration=_WHOLE,
        roundId=_TEXT,  # no format: older generated clients expect a string
        leftTime=_WHOLE,
        roundEndTime=_TIME,
        state=_WHOLE,
        hasSubmitted=_YES,
        isRoomCreator=_YES,
        maxUserCount=_WHOLE,
        currentUserCount=_WHOLE,
        totalRoundCount=_WHOLE,
        finishedRoundCount=_WHOLE,
        enabledToken=_YES,
    ),
    "TodayGoldenList": _object(roomId=_WHOLE, goldenNumberList=_list(_NUMBER)),
    "TodayNumbers": _object(roomId=_WHOLE, validNumbers=_WHOLE, numberList=_list(reference("NumberRow"))),
    "NumberRow": _object(userIndex=_WHOLE, roundIndex=_WHOLE, number1=_NUMBER, number2=_NUMBER),
    "TodayScore": _object(date=_TIME, scoreList=_list(reference("ScoreRow"))),
    "ScoreRow": _object(userId=_TEXT, nickName=_TEXT, score=_WHOLE, index=_WHOLE),
    "History": _object(rounds=_list(reference("Round")), nickNames={"type": "object", "additionalProperties": _TEXT}),
    "Round": _object(
        roundId=_TEXT, index=_WHOLE, time=_TIME, goldenNumber=_NUMBER, userNumbers=_list(reference("UserNumbers"))
    ),
    "UserNumbers": _object(userId=_TEXT, masterNumber=_NUMBER, slaveNumber=_NUMBER, score=_WHOLE),
}
